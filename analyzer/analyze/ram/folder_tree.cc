// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/folder_tree.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace physmem {
namespace {

/// Files of one place that has no folder, or of one file system whose mount point is unknown.
struct Root {
  CacheKind kind = CacheKind::kFile;
  std::uint64_t device = 0;  ///< 0: the path is absolute
  bool has_path = true;      ///< names begin with '/'; others are such as "[deleted]"
  auto operator<=>(const Root&) const = default;
};

Root root_of(const CachedFile& file) {
  if (!has_folders(file.kind)) return {file.kind, 0};
  return {CacheKind::kFile, file.has_whole_path ? 0 : file.device, file.path().starts_with('/')};
}

struct Entry {
  const CachedFile* file = nullptr;
  const CacheCounts* counts = nullptr;

  std::string_view name() const { return file->path(); }
  Root root() const { return root_of(*file); }
};

using Entries = std::span<Entry>;

std::vector<Entry> entries_of(const PageCache& cache) {
  std::vector<Entry> entries;
  for (const CacheRow& row : cache.rows()) entries.push_back({row.file, row.counts});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (const auto order = a.root() <=> b.root(); order != 0) return order < 0;
    return a.name() < b.name();
  });
  return entries;
}

/// The name up to the next '/' after `from`, with it; the whole name if there is none.
std::size_t end_of_component(std::string_view name, std::size_t from) {
  const std::size_t slash = name.find('/', from);
  return slash == name.npos ? name.size() : slash + 1;
}

class Tree {
 public:
  Tree(const PageCache& cache, std::uint64_t min_pages) : cache_(cache), min_pages_(min_pages) {}

  std::vector<FolderRow> rows() {
    std::vector<Entry> entries = entries_of(cache_);
    std::vector<std::pair<Entries, std::size_t>> roots;
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      while (end < entries.size() && entries[end].root() == entries[begin].root()) ++end;
      roots.emplace_back(Entries(entries).subspan(begin, end - begin),
                         entries[begin].root().has_path ? 1 : 0);
    }
    add_all(roots, 0, 0);
    return std::move(rows_);
  }

 private:
  using Folder = std::pair<Entries, std::size_t>;  ///< its files, and the length of its path

  static CacheCounts sum(Entries entries) {
    CacheCounts sum;
    for (const Entry& entry : entries) sum += *entry.counts;
    return sum;
  }

  /// Folders of one folder, largest first.
  void add_all(const std::vector<Folder>& folders, std::size_t parent_size, std::size_t depth) {
    std::vector<std::pair<CacheCounts, Folder>> shown;
    for (const Folder& folder : folders)
      if (const CacheCounts counts = sum(folder.first); counts.pages >= min_pages_)
        shown.emplace_back(counts, folder);
    std::stable_sort(shown.begin(), shown.end(),
                     [](const auto& a, const auto& b) { return a.first.pages > b.first.pages; });
    for (const auto& [counts, folder] : shown) add(counts, folder, parent_size, depth);
  }

  void add(const CacheCounts& counts, Folder folder, std::size_t parent_size, std::size_t depth) {
    const auto [entries, begin] = folder;
    const Entry& first = entries.front();
    const std::string root = folder_root(cache_, *first.file);
    if (!has_folders(first.root().kind) || !first.root().has_path) {
      rows_.push_back({root, 0, depth, entries.size(), counts});
      return;
    }
    const std::size_t size = common_path(entries, begin);
    std::string path = root + std::string(first.name().substr(0, size));
    const std::size_t path_size = path.size();
    rows_.push_back({std::move(path), parent_size, depth, entries.size(), counts});
    add_all(folders_in(entries, size), path_size, depth + 1);
  }

  /// How far all names have the same folders. Names are sorted, so the first and the last decide.
  static std::size_t common_path(Entries entries, std::size_t begin) {
    const std::string_view first = entries.front().name(), last = entries.back().name();
    for (std::size_t size = begin;;) {
      const std::size_t end = end_of_component(first, size);
      const bool is_folder = end != size && first[end - 1] == '/';
      if (!is_folder || last.substr(0, end) != first.substr(0, end)) return size;
      size = end;
    }
  }

  static std::vector<Folder> folders_in(Entries entries, std::size_t size) {
    std::vector<Folder> folders;
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      const std::string_view name = entries[begin].name();
      const std::size_t length = end_of_component(name, size);
      const std::string_view folder = name.substr(0, length);
      end = begin + 1;
      if (length == size || folder.back() != '/') continue;
      while (end < entries.size() && entries[end].name().starts_with(folder)) ++end;
      folders.emplace_back(entries.subspan(begin, end - begin), length);
    }
    return folders;
  }

  const PageCache& cache_;
  std::uint64_t min_pages_;
  std::vector<FolderRow> rows_;
};

}  // namespace

std::string folder_root(const PageCache& cache, const CachedFile& file) {
  constexpr std::array<const char*, kCacheKinds> kLabels{
      "", "[block devices]", "", "[memfd]", "[System V]", "[shared anonymous]"};
  if (!has_folders(file.kind)) return kLabels[static_cast<std::size_t>(file.kind)];
  if (file.has_whole_path) return "";
  return MountPoints::label_of(cache.file_system(file), file.device);
}

std::vector<FolderRow> folder_rows(const PageCache& cache, std::uint64_t min_pages) {
  return Tree(cache, min_pages).rows();
}

}  // namespace physmem
