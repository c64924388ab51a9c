// SPDX-License-Identifier: MIT
// Passes any bytes, plain or compressed, through every analysis, shape and writer. The identities
// must hold for the records that were read.
#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <streambuf>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/diff/ram_diff.h"
#include "analyzer/analyze/diff/snapshot_diff.h"
#include "analyzer/analyze/many/ram_digest.h"
#include "analyzer/analyze/process/page_dump.h"
#include "analyzer/analyze/process/summary.h"
#include "analyzer/analyze/process/unit_map.h"
#include "analyzer/analyze/process/vma_map.h"
#include "analyzer/analyze/time/leak_search.h"
#include "analyzer/analyze/time/ram_leak_search.h"
#include "analyzer/analyze/verify/ram_witness.h"
#include "analyzer/parse/decoded_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "analyzer/report/sized_table.h"
#include "analyzer/shape/alerts_shape.h"
#include "analyzer/shape/basic_shape.h"
#include "analyzer/shape/diff_shape.h"
#include "analyzer/shape/fleet_shape.h"
#include "analyzer/shape/leaks_shape.h"
#include "analyzer/shape/ledger_shape.h"
#include "analyzer/shape/map_shape.h"
#include "analyzer/shape/pages_shape.h"
#include "analyzer/shape/ram_diff_shape.h"
#include "analyzer/shape/ram_leaks_shape.h"
#include "analyzer/shape/summary_shape.h"
#include "analyzer/shape/totals_shape.h"
#include "analyzer/shape/verify_shape.h"
#include "tests/fuzz/check.h"

namespace physmem {
namespace {

class Nowhere : public std::streambuf {
 protected:
  int overflow(int c) override { return c == EOF ? 0 : c; }
  std::streamsize xsputn(const char*, std::streamsize n) override { return n; }
};

class MapHeadings : public VmaMapSink {
 public:
  void area(const Process& process, const Area& area) override {
    size_ += process_heading(process).size() + area_heading(area, {}).size();
  }
  void line(const Process& process, const Area& area, const MapLine& line) override {
    PHYSMEM_CHECK(line.skipped != 0 ? line.cells.empty() : line.cells.size() == kMapColumns);
    size_ += vma_map_cells(process, area, line, {}).size();
  }
  void process_end(const Process& process, const ProcessUse& use) override {
    PHYSMEM_CHECK(use.single <= use.resident);
    size_ += process_use(process, use).size();
  }

 private:
  std::size_t size_ = 0;
};

struct Analyses {
  MapHeadings headings;
  Summary summary;
  PageDump dump;
  UnitMap units;
  Ledger ledger;
  VmaMap map{headings};
};

void check_identities(const Summary& summary, const PageDump& dump) {
  for (const BasicRow& row : summary.basic().rows()) {
    const PaperColumns columns(row.physical);
    PHYSMEM_CHECK(row.single <= columns.lib_text);
    PHYSMEM_CHECK(columns.total() == columns.rw() + columns.rx());
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t pages : summary.regions()) sum += pages;
  PHYSMEM_CHECK(sum == summary.pages().pages());
  std::uint64_t rows = 0;  // including the zero page and frames without struct page
  dump.for_each([&](const PageRows& of) { rows += of.pages; });
  PHYSMEM_CHECK(rows >= sum);
}

/// The rows of the ledger add up to all frames.
void check_ledger(const Ledger& ledger) {
  std::uint64_t sum = 0;
  const Table table = ledger_table(ledger);
  for (const std::vector<Cell>& row : table.rows) sum += std::get<std::uint64_t>(row[1]);
  PHYSMEM_CHECK(sum == 2 * ledger.frames());  // with the total, the last row
}

void write(TableWriter& writer, const Analyses& a, const View& view) {
  writer.write(basic_table(a.summary.basic().rows(), view));
  writer.write(totals_table(a.summary.units().rows(), view));
  writer.write(alerts_table(a.summary.alerts(), view));
  writer.write(summary_table(a.summary, view));
  writer.write(page_count_table(a.summary.pages(), view));
  writer.write(ledger_table(a.ledger));
  writer.write(owners_table(a.ledger));
  writer.write(witness_table(ram_verdicts(a.ledger)));
  writer.begin(page_dump_head());
  a.dump.for_each([&](const PageRows& rows) {
    writer.prepared_rows({rows.address, view.header.page_size.bytes, rows.pages},
                         writer.prepare(page_dump_cells(a.dump.kind(rows.kind), view)));
  });
  writer.drop_prepared();
  writer.end();
  writer.begin(unit_map_head());
  a.units.for_each([](const UnitSegment&) {},
                   [&](const UnitSegment& segment, const MapLine& line) {
                     writer.row(unit_map_cells(segment, line, view));
                   });
  writer.end();
}

/// With sizes in MiB.
std::unique_ptr<TableWriter> sized(std::unique_ptr<TableWriter> writer) {
  return sized_table_writer(std::move(writer), {SizeUnit::kMib, PageSize()}, UnitPlace::kColumns);
}

/// Writes the results in one of the six formats, selected by `choice`. All six would take most of
/// the time.
void answer(const Analyses& a, const Header& header, std::size_t choice) {
  Nowhere nowhere;
  std::ostream out(&nowhere);
  const View view{header, "f", choice % 2 == 1, true};
  check_ledger(a.ledger);
  constexpr std::array kWriters{+[](std::ostream& to) { return text_table_writer(to); },
                                +[](std::ostream& to) { return csv_table_writer(to); },
                                json_table_writer};
  write(*sized(kWriters[choice / 2 % kWriters.size()](out)), a, view);
  for (const std::string& line : summary_text(a.summary, view, ram_verdicts(a.ledger), {}))
    out << line;
  for (const std::string& line : alerts_text(a.summary.alerts(), view)) out << line;
  PHYSMEM_CHECK(basic_chart(a.summary.basic().rows(), view).groups.size() <=
                a.summary.basic().rows().size());
  PHYSMEM_CHECK(totals_chart(a.summary.units().rows(), view).groups.size() ==
                a.summary.units().rows().size());
  PHYSMEM_CHECK(out.good());
}

void check_change(const Change& change) {
  PHYSMEM_CHECK(change.kept.pages <= change.before && change.kept.pages <= change.after);
}

/// Analyses of a series.
struct SeriesAnalyses {
  SnapshotDiff diff;
  RamDiff ram_diff;
  LeakSearch search;
  RamLeakSearch ram_search{search};
  RamDigest digest;
};

void answer_diff(const RamDiff& diff, std::ostream& out) {
  for (const Table& table : ram_diff_tables(diff, {}))
    sized(text_table_writer(out))->write(table);
  sized(csv_table_writer(out))->write(class_changes_table(diff));
  const auto writer = sized(json_table_writer(out));
  writer->begin(owner_changes_head());
  for (const OwnerChange* row : changed_owners(diff, true)) {
    PHYSMEM_CHECK(row->moved <= row->stayed && row->stayed <= std::min(row->before, row->after));
    writer->row(owner_change_cells(diff, *row));
  }
  writer->end();
}

/// The header belongs to the last snapshot read so far.
void answer(const SeriesAnalyses& series, const Header& header) {
  const SnapshotDiff& diff = series.diff;
  const LeakSearch& search = series.search;
  for (const AreaChange& row : diff.areas()) check_change(row.change);
  for (const ProcessChange& row : diff.processes()) check_change(row.change);
  for (const UnitChange& row : diff.units()) check_change(row.change);
  Nowhere nowhere;
  std::ostream out(&nowhere);
  const View view{header, "f", false, true};
  for (const Table& table : diff_tables(diff, view)) sized(text_table_writer(out))->write(table);
  sized(csv_table_writer(out))->write(diff_table(diff, view));
  const std::vector<LeakRow> rows = search.rows();
  const std::vector<RamLeakRow> ram = series.ram_search.rows(rows);
  sized(json_table_writer(out))->write(leaks_table(search, rows, view));
  sized(csv_table_writer(out))->write(ram_leaks_table(search, ram, view));
  for (const std::string& line : leaks_text(search, rows, ram, view)) out << line;
  PHYSMEM_CHECK(leaks_series(search, rows, ram, view).panels.size() == 1);
  if (series.ram_diff.is_known()) answer_diff(series.ram_diff, out);
  text_table_writer(out)->write(fleet_classes_table(series.digest));
  text_table_writer(out)->write(fleet_owners_table(series.digest));
}

void check(std::string_view text) {
  auto source = decoded(text_source(text), "f");
  if (!source) return;
  SnapshotReader reader(**source, "f", {true});
  SeriesAnalyses series;
  for (std::size_t snapshots = 1;; ++snapshots) {
    Analyses a;
    std::vector<Analysis*> analyses{
        &a.summary, &a.dump,        &a.units,           &a.map,
        &a.ledger,  &series.search, &series.ram_search, &series.ram_diff};
    if (snapshots <= 2) analyses.push_back(&series.diff);
    Census census(analyses);
    const auto more = reader.next(census);
    if (!more || !*more) return;
    check_identities(a.summary, a.dump);
    answer(a, census.header(), text.size());
    series.digest.add(census.header(), census.header().host, RamOfSnapshot::of(a.ledger));
    if (snapshots >= 2) answer(series, census.header());
  }
}

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  physmem::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
