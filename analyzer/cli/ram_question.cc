// SPDX-License-Identifier: MIT
#include "analyzer/cli/ram_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analyzer/cli/missing_notes.h"
#include "analyzer/shape/cache_shape.h"
#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/fragmentation_shape.h"
#include "analyzer/shape/huge_page_findings.h"
#include "analyzer/shape/kernel_shape.h"
#include "analyzer/shape/ram_diff_shape.h"
#include "analyzer/shape/slab_shape.h"

namespace physmem {
namespace {

/// Lines of a map of RAM on a terminal, without --full.
constexpr std::size_t kMapLines = 16;
/// Rows of each table, in text without --full.
constexpr std::size_t kFewCaches = 20, kFewOwners = 10;

/// Rows of each table of this form.
std::size_t rows_of(std::optional<std::size_t> top, Format format, bool is_full, std::size_t few) {
  if (top) return *top;
  return format == Format::kText && !is_full ? few : std::numeric_limits<std::size_t>::max();
}

}  // namespace

void CacheQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format))
    return draw(printer, [&](const PageCache& cache) { return cache_treemap(cache, view); });
  const bool is_text = format == Format::kText;
  if (is_text && !begin_text(printer, view)) return;
  std::vector<Table> tables =
      this->tables(view, is_text && !is_full() && !top() ? Extent::kLargest : Extent::kAll);
  // The files are the first table: CSV without --full has only them. People first read sums.
  if (is_text) std::rotate(tables.begin(), tables.begin() + 1, tables.begin() + 3);
  if (is_text) std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  if (is_text && view.header.files != Header::Files::kNone)
    std::for_each(tables.begin(), tables.end(), leave_out_unknown);
  if (top())
    for (Table& table : tables) keep_first(table, *top());
  if (!has_further_tables(format)) tables.resize(1);
  for (std::size_t i = 0; i < tables.size(); ++i)
    i == 0 ? printer.table().write(tables[i]) : printer.write_next(tables[i]);
}

std::vector<Table> CacheQuestion::tables(const View& view, Extent extent) const {
  const auto files = [&](const PageCache& cache) { return cache_table(cache, view, extent); };
  const auto kinds = [&](const PageCache& cache) { return cache_kinds_table(cache); };
  const auto folders = [&](const PageCache& cache) { return cache_folders_table(cache, extent); };
  const auto users = [&](const PageCache& cache) { return cache_users_table(cache, extent); };
  std::vector<Table> all{split_table(split(), files), split_table(split(), kinds),
                         split_table(split(), folders)};
  // Of the frames that a cgroup pays for, it is not known who maps them.
  if (!has_payers_) all.push_back(split_table(split(), users));
  return all;
}

bool CacheQuestion::needs_areas() const {
  return split().front().header().files != Header::Files::kNamed;
}

bool CacheQuestion::data_is_missing(const Header& header) const {
  return (header.files == Header::Files::kNone && header.ram != Header::Ram::kAll) ||
         !missing().empty();
}

std::vector<std::string> CacheQuestion::missing() const {
  const PageCache& cache = split().front();
  if (words_.empty() && cache.is_known() && cache.is_selection() && cache.rows().empty())
    return {"no cached file that is known here fits --file"};
  return missing_files(cache);
}

std::string CacheQuestion::failure() const {
  const PageCache& cache = split().front();
  if (words_.empty() || !cache.is_known() || !cache.rows().empty()) return {};
  const char* const what = cache.header().files == Header::Files::kNone
                               ? "no file in the page cache has "
                               : "of the files that are known here, none in the page cache has ";
  return what + quoted(words_) + " in its name, and no snapshot is named so";
}

/// The first lines of text. False: nothing follows them.
bool CacheQuestion::begin_text(Printer& printer, const View& view) const {
  for (std::size_t group = 0; group < split().size(); ++group)
    printer.lines(
        {subject("Page cache", split(), group) + ": " + cache_line(split()[group], view)});
  if (split().front().is_known()) printer.lines({""});
  return split().front().is_known();
}

void FileMapQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(picture(view));
  if (format == Format::kText) return write_text(printer, view);
  TableWriter& table = printer.table();
  table.begin(file_map_head());
  map_.for_each([](const FileMap::File&) {},
                [&](const FileMap::File& file, const MapLine& line) {
                  table.row(file_map_cells(file, line, view));
                });
  table.end();
}

std::vector<std::string> FileMapQuestion::missing() const {
  if (map_.files() != 0) return {};
  return {file_not_found(map_)};
}

void FileMapQuestion::write_text(Printer& printer, const View& view) const {
  map_.for_each(
      [&](const FileMap::File& file) { printer.map_heading(file_heading(map_, file, view), 0); },
      [&](const FileMap::File&, const MapLine& line) { printer.map_line(file_line(line, view)); });
  printer.end_map();
}

PageMap FileMapQuestion::picture(const View& view) const {
  PageMap map;
  map.title = "Pages of files in the page cache";
  map.is_of_files = true;
  map_.for_each(
      [&](const FileMap::File& file) {
        map.blocks.push_back({file_heading(map_, file, view), {}});
      },
      [&](const FileMap::File&, const MapLine& line) {
        map.blocks.back().lines.push_back(file_line(line, view));
      });
  return map;
}

void CacheChangeQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format))
    return printer.add(file_changes_chart(diff_, view, top().value_or(kChartRows)));
  if (format == Format::kText) {
    printer.lines({"Page cache: " + file_changes_line(diff_, view)});
    if (!diff_.is_known() || !diff_.has_names()) return;
    printer.lines({""});
    return printer.table().write(file_changes_text(diff_, view));
  }
  TableWriter& table = printer.table();
  table.begin(owner_changes_head());
  for (const OwnerChange* row : changed_owners(diff_, view.is_full))
    if (row->owner.kind == RamOwner::Kind::kFile) table.row(owner_change_cells(diff_, *row));
  table.end();
}

std::vector<std::string> CacheChangeQuestion::missing() const {
  if (diff_.is_known() && !diff_.has_names()) return {std::string("no files: ") + kNoNames};
  if (diff_.is_known()) return {};
  return {diff_.is_half_known()
              ? "only one of the snapshots has the whole of RAM: they cannot be compared"
              : "neither snapshot has the whole of RAM"};
}

std::unique_ptr<Question> make_cache_question(const QuestionContext& context) {
  if (!context.options.map_path.empty()) return std::make_unique<FileMapQuestion>(context);
  if (context.options.inputs.size() == 2) return std::make_unique<CacheChangeQuestion>(context);
  return std::make_unique<CacheQuestion>(context);
}

void FragmentationQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format))
    return draw(printer, [&](const PageBlocks& blocks) { return block_map(blocks, view); });
  const bool is_text = format == Format::kText;
  if (is_text && !split().is_split()) printer.lines(huge_page_lines(facts_, split().front()));
  for (std::size_t group = 0; is_text && group < split().size(); ++group)
    printer.lines(
        {subject("Free memory", split(), group) + ": " + fragmentation_line(split()[group], view)});
  if (is_text && !split().front().is_known()) return;
  const std::uint64_t in_no_zone = split().front().free_in_no_zone();
  if (is_text && !split().is_split() && in_no_zone != 0)
    printer.lines({no_zone_line(in_no_zone, view)});
  if (is_text) printer.lines({""});
  const auto write = [&](auto table_of) { return split_table(split(), table_of); };
  const bool has_all = is_full() || !is_text;
  printer.table().write(write([&](const auto& blocks) { return free_blocks_table(blocks, view); }));
  if (!has_further_tables(format)) return;
  printer.write_next(write([&](const auto& blocks) { return huge_rooms_table(blocks, view); }));
  // Page tables show no place: these are all of their pages.
  const Table processes = process_huge_pages_table(processes_, has_all);
  if (!split().is_split() && view.header.selection.empty() && !(is_text && processes.rows.empty()))
    printer.write_next(processes);
  printer.write_next(
      write([&](const auto& blocks) { return blockers_table(blocks, view, has_all); }));
  if (!is_text)
    return printer.write_next(
        write([&](const auto& blocks) { return page_blocks_table(blocks, view); }));
  const std::size_t letters =
      printer.columns() == 0 || is_full() ? kMaxBlockLetters : kMapLines * printer.columns();
  for (std::size_t group = 0; group < split().size(); ++group) {
    printer.lines({""});
    if (split().is_split()) printer.lines({subject("Pageblocks", split(), group)});
    printer.lines(block_map_lines(block_map(split()[group], view, letters), printer.columns()));
  }
}

void SlabQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  const SlabUse& first = split().front();
  const bool is_series = first.order().snapshots() > 1;
  if (is_picture(format) && is_series)
    return draw(printer, [&](const SlabUse& slab) { return slab_growth_series(slab, view); });
  if (is_picture(format))
    return draw(printer, [&](const SlabUse& slab) {
      return in_unit(slab_chart(slab, view, top().value_or(kChartRows)));
    });
  const bool has_none = first.source() == SlabUse::Source::kNone && !split().is_partial();
  if (format == Format::kText && (has_none || view.header.ram == Header::Ram::kNone))
    return printer.lines(
        {"Slab caches: unknown, the snapshot does not have them; physmem-collect --ram records "
         "them"});
  const std::size_t max_rows = rows_of(top(), format, view.is_full, kFewCaches);
  printer.table().write(split_table(split(), [&](const SlabUse& slab) {
    return is_series ? slab_growth_table(slab, view, max_rows) : slab_table(slab, view, max_rows);
  }));
}

std::vector<std::string> SlabQuestion::missing() const {
  return slab_missing(split().front());
}

/// CSV has further tables in further files, so only on request.
void KernelQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format))
    return draw(printer,
                [&](const KernelUse& kernel) { return in_unit(kernel_chart(kernel, view)); });
  const bool is_text = format == Format::kText;
  for (std::size_t group = 0; is_text && group < split().size(); ++group)
    printer.lines({subject("Kernel", split(), group) + ": " + kernel_line(split()[group], view)});
  if (is_text && !split().front().ledger().is_known()) return;
  if (is_text) printer.lines({""});
  printer.table().write(
      split_table(split(), [&](const KernelUse& kernel) { return kernel_table(kernel); }));
  if (!has_further_tables(format)) return;
  const std::size_t max_rows = rows_of(top(), format, view.is_full, kFewOwners);
  const std::size_t tables = kernel_owner_tables(split().front(), view, max_rows).size();
  for (std::size_t i = 0; i < tables; ++i) {
    const Table table = split_table(split(), [&](const KernelUse& kernel) {
      return kernel_owner_tables(kernel, view, max_rows)[i];
    });
    if (!is_text || !table.rows.empty()) printer.write_next(table);
  }
}

}  // namespace physmem
