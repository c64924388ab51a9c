// SPDX-License-Identifier: MIT
#include "analyzer/cli/database_question.h"

#include <fmt/format.h>

#include "analyzer/shape/database_shape.h"

namespace physmem {

DatabaseFold::DatabaseFold(const View& view) : view_(view) {
  writer_.execute(fmt::format("PRAGMA user_version = {};", kDatabaseVersion));
  writer_.execute(database_tables());
}

void DatabaseFold::on_header(const Header& header) {
  header_ = header;
  parts_.emplace();
  sizes_.clear();
  units_.clear();
  writer_.insert("snapshots", snapshot_cells(++snapshots_, view_.source, header));
  parts_->ledger.on_header(header);
  parts_->cache.on_header(header);
}

/// Times of readings, at.…, repeat and are left out.
void DatabaseFold::on_counters(std::span<const Counter> counters) {
  parts_->ledger.on_counters(counters);
  sizes_.add(counters);
  for (const Counter& counter : counters)
    if (!counter.name.starts_with("at."))
      writer_.insert("counters", {snapshots_, std::string(counter.name), counter.value});
}

void DatabaseFold::on_task(const Task& task) {
  parts_->ledger.on_task(task);
}

void DatabaseFold::on_pages(const Process& process, const Area& area,
                            std::span<const PageRun> runs) {
  parts_->cache.on_pages(process, area, runs);
}

void DatabaseFold::on_area_end(const Process& process, const Area& area) {
  parts_->cache.on_area_end(process, area);
}

void DatabaseFold::on_process(const Process& process) {
  parts_->totals.on_process(process);
  if (process.has_ended_leader)
    writer_.execute(
        fmt::format("DELETE FROM processes WHERE snapshot = {} AND pid = {} AND is_kernel_thread",
                    snapshots_, process.pid()));
  writer_.insert("processes", process_cells(++processes_, snapshots_, process,
                                            use_of(process, sizes_, header_.page_size), header_));
  write_areas(process);
}

/// A bss belongs to the file before it.
void DatabaseFold::write_areas(const Process& process) {
  for (const Area& area : process.areas) {
    const bool is_of_file = has_file(area.vma) || area.regions.file == Region::kAppBss ||
                            area.regions.file == Region::kLibBss;
    const auto file = is_of_file ? std::optional(unit_id(area.marks)) : std::nullopt;
    writer_.insert("areas", area_cells(++areas_, processes_, file, area, header_));
  }
}

std::uint64_t DatabaseFold::unit_id(const RegionMap::Marks& marks) {
  Unit& unit = units_[marks.key()];
  if (unit.id == 0) unit = {++unit_ids_, marks.file};
  return unit.id;
}

void DatabaseFold::on_zone(const Zone& zone) {
  parts_->ledger.on_zone(zone);
}

void DatabaseFold::on_owner(const RamOwner& owner) {
  parts_->ledger.on_owner(owner);
  parts_->cache.on_owner(owner);
}

void DatabaseFold::on_ram(const RamRun& run) {
  parts_->ledger.on_ram(run);
  parts_->cache.on_ram(run);
}

void DatabaseFold::write_units() {
  for (const UnitTotalsRow& row : parts_->totals.rows()) {
    const auto at = units_.find(row.key);
    if (at == units_.end()) continue;
    writer_.insert("units",
                   unit_cells(at->second.id, snapshots_, row.key, row.unit, &row, header_));
    units_.erase(at);
  }
  for (const auto& [key, unit] : units_)
    writer_.insert("units", unit_cells(unit.id, snapshots_, key, unit.name, nullptr, header_));
}

void DatabaseFold::on_end() {
  write_units();
  parts_->cache.on_end();
  if (!parts_->ledger.is_known()) return;
  for (const ClassPages& row : class_pages(parts_->ledger))
    writer_.insert("ledger", class_cells(snapshots_, row, header_));
  for (const CacheRow& row : parts_->cache.rows())
    writer_.insert("files", file_cells(snapshots_, parts_->cache, row, header_));
}

void DatabaseQuestion::answer(Printer& printer, const View& /*view*/) {
  fold_.writer().execute(database_indices());
  fold_.writer().copy_to(printer.text());
}

}  // namespace physmem
