// SPDX-License-Identifier: MIT
#include "analyzer/shape/cache_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Rows of a text table.
constexpr std::size_t kLargestRows = 20;
/// Folders of a text table have at least this share of the cache.
constexpr std::uint64_t kSmallestShare = 100;
constexpr std::size_t kMostFolders = 60;

/// The share of the file that is cached. A block device has no size that is worth a share.
Cell cached_percent(const CacheRow& row, PageSize size) {
  const std::uint64_t all = size.pages(row.file->bytes);
  if (all == 0 || row.file->kind == CacheKind::kBlock) return {};
  return 100 * static_cast<double>(row.counts->pages) / static_cast<double>(all);
}

Cell if_all(std::uint64_t count, std::uint64_t unknown) {
  return unknown == 0 ? Cell(count) : Cell();
}

void append_counts(std::vector<Cell>& cells, const CacheCounts& counts) {
  cells.insert(
      cells.end(),
      {if_all(counts.mapped, counts.without_use), if_all(counts.dirty, counts.without_states),
       if_all(counts.writeback, counts.without_states), if_all(counts.active, counts.without_use)});
}

std::vector<Column> with_counts(std::vector<Column> columns) {
  columns.insert(columns.end(), {{"Mapped", Kind::kSize},
                                 {"Dirty", Kind::kSize},
                                 {"Writeback", Kind::kSize},
                                 {"Active", Kind::kSize}});
  return columns;
}

void note_rest(Table& table, std::size_t rest, const std::string& size, std::string_view thing) {
  if (rest != 0)
    table.notes.push_back(
        fmt::format("and {} with {}; --full lists them", counted(rest, thing), size));
}

/// Smaller rectangles could not be seen: the share of the whole picture.
constexpr std::uint64_t kSmallestArea = 4000;

/// The nodes of a treemap, from folders and the largest files.
class CacheNodes {
 public:
  CacheNodes(const PageCache& cache, const View& view)
      : cache_(cache), view_(view), least_(cache.total().pages / kSmallestArea + 1) {
    for (const FolderRow& row : folder_rows(cache, least_)) add_folder(row);
    for (const CacheRow& row : cache.rows())
      if (row.counts->pages >= least_) add_file(row);
  }

  /// The folders of the root have a colour each, so they are nodes of their own.
  std::vector<Treemap::Node> nodes() const {
    std::vector<Treemap::Node> nodes;
    for (Treemap::Node& root : children_of(roots_, {})) {
      if (root.label != "/") {
        nodes.push_back(std::move(root));
        continue;
      }
      Treemap::Node files{"/", root.pages, {}, root.tooltip};
      for (Treemap::Node& child : root.children) {
        if (child.children.empty()) {
          files.children.push_back(std::move(child));
          continue;
        }
        files.pages -= child.pages;
        child.label = "/" + child.label;
        nodes.push_back(std::move(child));
      }
      nodes.push_back(std::move(files));
    }
    sort(nodes);
    return nodes;
  }

 private:
  struct Folder {
    Treemap::Node node;
    std::string path;
    std::vector<std::size_t> folders;  ///< indices in folders_
    std::vector<Treemap::Node> files;
  };

  static void sort(std::vector<Treemap::Node>& nodes) {
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const auto& a, const auto& b) { return a.pages > b.pages; });
  }

  std::string tooltip(const std::string& name, const CacheCounts& counts) const {
    const PageSize size = view_.header.page_size;
    std::string text = fmt::format("{}: {}", name, human_size(counts.pages, size));
    if (counts.without_use == 0)
      text += fmt::format(", {} mapped", human_size(counts.mapped, size));
    if (counts.without_states == 0)
      text += fmt::format(", {} dirty", human_size(counts.dirty, size));
    return text;
  }

  void add_folder(const FolderRow& row) {
    open_.resize(std::min(open_.size(), row.depth));
    const std::size_t index = folders_.size();
    (open_.empty() ? roots_ : folders_[open_.back()].folders).push_back(index);
    open_.push_back(index);
    folders_.push_back(
        {{row.path.substr(row.parent_size), row.counts.pages, {}, tooltip(row.path, row.counts)},
         row.path,
         {},
         {}});
    by_path_.emplace(row.path, index);
  }

  /// In the innermost folder that is shown.
  void add_file(const CacheRow& row) {
    const std::string path = folder_root(cache_, *row.file) + std::string(row.file->path());
    auto folder = by_path_.find(path.substr(0, path.size() - row.file->name.size()));
    for (std::size_t end = path.rfind('/'); end != path.npos;
         end = end == 0 ? path.npos : path.rfind('/', end - 1)) {
      const auto inner = by_path_.find(path.substr(0, end + 1));
      if (inner == by_path_.end()) continue;
      folder = inner;
      break;
    }
    if (folder == by_path_.end()) return;
    Folder& inside = folders_[folder->second];
    const std::size_t front = path.starts_with(inside.path) ? inside.path.size() : 0;
    inside.files.push_back(
        {path.substr(front), row.counts->pages, {}, tooltip(row.file->name, *row.counts)});
  }

  std::vector<Treemap::Node> children_of(const std::vector<std::size_t>& folders,
                                         std::vector<Treemap::Node> files) const {
    for (const std::size_t index : folders) {
      const Folder& folder = folders_[index];
      files.push_back(folder.node);
      files.back().children = children_of(folder.folders, folder.files);
    }
    sort(files);
    return files;
  }

  const PageCache& cache_;
  const View& view_;
  std::uint64_t least_;
  std::vector<Folder> folders_;
  std::vector<std::size_t> roots_;
  std::vector<std::size_t> open_;  ///< from a root to the last folder
  std::unordered_map<std::string, std::size_t> by_path_;
};

/// "91.0 MiB dirty, 0 KiB being written". Empty if not all is known.
std::string states(const CacheCounts& counts, PageSize size) {
  if (counts.without_states != 0) return {};
  return fmt::format(": {} dirty, {} being written", human_size(counts.dirty, size),
                     human_size(counts.writeback, size));
}

std::string files_of(const PageCache& cache) {
  return counted(cache.count_files([](const CachedFile&) { return true; }), "file");
}

std::string open_files_line(const PageCache& cache, const View& view) {
  const PageSize size = view.header.page_size;
  const CacheCounts known = cache.named();
  std::string of_known =
      fmt::format("{} of {} that processes have open or mapped{}", human_size(known.pages, size),
                  files_of(cache), states(known, size));
  if (cache.is_selection()) return of_known;
  return fmt::format("{}: {}; {} of other files, which are not known here",
                     human_size(cache.total().pages, size), of_known,
                     human_size(cache.unnamed().pages, size));
}

std::string named_files_line(const PageCache& cache, const View& view) {
  const PageSize size = view.header.page_size;
  const CacheCounts known = cache.named();
  const PageCache::Asked& asked = cache.asked();
  if (asked.files == 0 && asked.denied != 0)
    return fmt::format("unknown: the kernel does not show you the cached pages of {}",
                       counted(asked.denied, "file"));
  return fmt::format("{} of {} ({:.0f} %), in {} of {}{}", human_size(known.pages, size),
                     human_size(asked.pages, size), percent(known.pages, asked.pages),
                     cache.count_files([](const CachedFile&) { return true; }),
                     counted(asked.files, "file"), states(known, size));
}

}  // namespace

std::string kind_word(CacheKind kind) {
  constexpr std::array<const char*, kCacheKinds> kWords{
      "file", "block device", "tmpfs", "memfd", "System V", "shared anonymous"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string cache_line(const PageCache& cache, const View& view) {
  if (!cache.is_known()) return "unknown, " + std::string(kNoFrames);
  if (cache.header().files == Header::Files::kOpen) return open_files_line(cache, view);
  if (cache.header().files == Header::Files::kNamed) return named_files_line(cache, view);
  const CacheCounts sum = cache.total();
  const std::size_t files = cache.count_files([](const CachedFile&) { return true; });
  const CacheCounts unnamed = cache.unnamed();
  const bool has_names = cache.has_names();
  const auto size = [&view](std::uint64_t pages) {
    return human_size(pages, view.header.page_size);
  };
  std::string text =
      fmt::format("{} of {}: {} mapped by processes, {} dirty, {} being written, {} active",
                  size(sum.pages), has_names ? counted(files, "file") : "unknown files",
                  size(sum.mapped), size(sum.dirty), size(sum.writeback), size(sum.active));
  if (!has_names) return text + "; " + kNoNames;
  if (const CacheCounts deleted = cache.deleted(); deleted.pages != 0)
    text += fmt::format("; {} of deleted files", size(deleted.pages));
  if (unnamed.pages != 0) text += fmt::format("; {} of unknown files", size(unnamed.pages));
  return text;
}

std::vector<std::string> missing_files(const PageCache& cache) {
  if (!cache.is_known()) return {};
  if (!cache.has_names()) return {std::string("no files: ") + kNoNames};
  std::vector<std::string> missing;
  if (cache.header().files == Header::Files::kOpen && !cache.is_selection())
    missing.push_back(fmt::format(
        "{} of other files are not known: without the kernel's memory (root, with BPF or "
        "/proc/kcore) or the module, only files that processes have open or mapped are found, and "
        "files that you name: physmem cache PATH",
        human_size(cache.unnamed().pages, cache.header().page_size)));
  const PageCache::Asked& asked = cache.asked();
  if (asked.denied != 0)
    missing.push_back(fmt::format(
        "{} not asked, or not answered: the kernel tells only root, the owner of a file and those "
        "who may write it what is cached",
        counted(asked.denied, "file")));
  if (asked.skipped != 0)
    missing.push_back(fmt::format(
        "{} of NFS, FUSE or another server not asked, because that can take forever; name them, "
        "and they are asked: physmem cache PATH",
        counted(asked.skipped, "file")));
  return missing;
}

Table cache_table(const PageCache& cache, const View& view, Extent extent) {
  Table table{
      {"cache", "Files in the page cache",
       with_counts({{"Size", Kind::kSize}, {"% of file", Kind::kNumber, "percent_of_file"}})},
      {}};
  table.head.columns.insert(
      table.head.columns.end(),
      {{"Processes"}, {"Kind", Kind::kText}, {"State", Kind::kText}, {"File", Kind::kText}});
  table.head.spare = {"Writeback", "Active", "Processes", "State", "Dirty"};
  const std::vector<CacheRow> rows = cache.rows();
  std::uint64_t rest = 0;
  const std::size_t shown =
      extent == Extent::kAll ? rows.size() : std::min(rows.size(), kLargestRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const CacheRow& row = rows[i];
    std::vector<Cell> cells{row.counts->pages, cached_percent(row, view.header.page_size)};
    append_counts(cells, *row.counts);
    cells.insert(cells.end(),
                 {row.processes ? Cell(*row.processes) : Cell(), kind_word(row.file->kind),
                  std::string(row.file->is_deleted ? "deleted" : ""), row.file->name});
    table.rows.push_back(std::move(cells));
  }
  for (std::size_t i = shown; i < rows.size(); ++i) rest += rows[i].counts->pages;
  note_rest(table, rows.size() - shown, human_size(rest, view.header.page_size), "file");
  return table;
}

Table cache_kinds_table(const PageCache& cache) {
  Table table{{"cache-kinds", "Page cache by kind of file",
               with_counts({{"Kind", Kind::kText}, {"Files"}, {"Size", Kind::kSize}})},
              {}};
  const auto add = [&](const std::string& kind, std::uint64_t files, const CacheCounts& counts) {
    std::vector<Cell> cells{kind, cache.has_names() ? Cell(files) : Cell(), counts.pages};
    append_counts(cells, counts);
    table.rows.push_back(std::move(cells));
  };
  for (std::size_t i = 0; i < kCacheKinds; ++i) {
    const auto kind = static_cast<CacheKind>(i);
    if (cache.of(kind).pages == 0) continue;
    add(kind_word(kind),
        cache.count_files([kind](const CachedFile& file) { return file.kind == kind; }),
        cache.of(kind));
  }
  if (cache.header().files == Header::Files::kOpen && !cache.is_selection()) {
    add("not known here", 0, cache.unnamed());
    table.rows.back()[1] = {};
    add("total", 0, cache.total());
    table.rows.back()[1] = {};
  } else if (cache.is_known())  // otherwise a total of 0 would be wrong
    add("total", cache.count_files([](const CachedFile&) { return true; }), cache.total());
  return table;
}

Table cache_folders_table(const PageCache& cache, Extent extent) {
  Table table{{"cache-folders",
               "Page cache by folder",
               {{"Size", Kind::kSize},
                {"Files"},
                {"Mapped", Kind::kSize},
                {"Dirty", Kind::kSize},
                {"Folder", Kind::kText}}},
              {}};
  const bool is_all = extent == Extent::kAll;
  if (is_all) table.head.columns.insert(table.head.columns.end() - 1, {"Depth"});
  const std::uint64_t least = is_all ? 1 : cache.named().pages / kSmallestShare + 1;
  std::size_t left_out = 0;
  for (const FolderRow& row : folder_rows(cache, least)) {
    if (!is_all && table.rows.size() == kMostFolders) {
      ++left_out;
      continue;
    }
    const std::string name =
        is_all ? row.path : std::string(2 * row.depth, ' ') + row.path.substr(row.parent_size);
    std::vector<Cell> cells{row.counts.pages, row.files,
                            if_all(row.counts.mapped, row.counts.without_use),
                            if_all(row.counts.dirty, row.counts.without_states)};
    if (is_all) cells.emplace_back(static_cast<std::uint64_t>(row.depth));
    cells.emplace_back(name);
    table.rows.push_back(std::move(cells));
  }
  if (left_out != 0)
    table.notes.push_back(fmt::format("and {}; --full lists them", counted(left_out, "folder")));
  return table;
}

Table cache_users_table(const PageCache& cache, Extent extent) {
  Table table{{"cache-processes",
               "Processes that map cached pages",
               {{"Command", Kind::kText},
                {"PID"},
                {"Size", Kind::kSize},
                {"Files"},
                {"Largest", Kind::kSize},
                {"Of file", Kind::kText, "largest_file"}}},
              {}};
  const std::vector<CacheUser> users = cache.users();
  const std::size_t shown =
      extent == Extent::kAll ? users.size() : std::min(users.size(), kLargestRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const CacheUser& user = users[i];
    table.rows.push_back(
        {user.name, user.pid, user.pages, user.files, user.largest_pages, user.largest->name});
  }
  if (users.size() > shown)
    table.notes.push_back(
        fmt::format("and {}; --full lists them", counted(users.size() - shown, "process")));
  return table;
}

Treemap cache_treemap(const PageCache& cache, const View& view) {
  Treemap map;
  map.title = "The page cache by folder and file";
  map.subtitle = fmt::format("{}: {}", origin(view.header),
                             human_size(cache.total().pages, view.header.page_size));
  map.page_size = view.header.page_size.bytes;
  map.nodes = CacheNodes(cache, view).nodes();
  return map;
}

std::string file_not_found(const FileMap& map) {
  if (!map.is_known()) return std::string("no map: ") + kNoFrames;
  if (!map.has_names()) return std::string("no map: ") + kNoNames;
  return fmt::format("no page of a file named {} is in the cache; --full lists all files",
                     map.path());
}

std::string file_heading(const FileMap& map, const FileMap::File& file, const View& view) {
  const CacheCounts& counts = file.counts;
  const std::string which = map.snapshots() > 1 ? fmt::format(", snapshot {}", file.snapshot) : "";
  return fmt::format("{}{}{}, {}: {} in the cache, {} mapped by processes, {} dirty", file.path,
                     file.owner.links == 0 ? " (deleted)" : "", which,
                     counted(view.header.page_size.pages(file.owner.bytes), "page"), counts.pages,
                     counts.mapped, counts.dirty);
}

PageMap::Line file_line(const MapLine& line, const View& view) {
  return {line.first_page << view.header.page_size.shift(), line.cells, line.skipped};
}

TableHead file_map_head() {
  return {"cache-map",
          "Pages of files in the page cache, 64 per row",
          {{"File", Kind::kText},
           {"Pages"},
           {"Cached"},
           {"Offset", Kind::kHex},
           {"Map", Kind::kText},
           {"Skipped"}}};
}

std::vector<Cell> file_map_cells(const FileMap::File& file, const MapLine& line, const View& view) {
  return {file.path,         view.header.page_size.pages(file.owner.bytes),
          file.counts.pages, file_line(line, view).address,
          line.cells,        line.skipped != 0 ? Cell(line.skipped) : Cell()};
}

}  // namespace physmem
