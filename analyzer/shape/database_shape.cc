// SPDX-License-Identifier: MIT
#include "analyzer/shape/database_shape.h"

#include "analyzer/shape/cache_shape.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

Cell known(const std::string& text) {
  return text.empty() ? Cell() : Cell(text);
}

Cell known(const std::optional<std::uint64_t>& number) {
  return number ? Cell(*number) : Cell();
}

Cell bytes(std::uint64_t pages, const Header& header) {
  return pages << header.page_size.shift();
}

/// rss_bytes, uss_bytes, pss_bytes, swap_bytes, vss_bytes. A kernel thread has none of them.
std::vector<Cell> use_cells(const Process& process, const std::optional<MemoryUse>& use,
                            const Header& header) {
  if (!use && !(process.is_kernel_thread() && header.has_areas)) return std::vector<Cell>(5);
  const MemoryUse known = use.value_or(MemoryUse{});
  return {bytes(known.resident, header),
          known.is_unique_known ? bytes(known.unique, header) : Cell(),
          known.is_share_known ? Cell(known.share.bytes(header.page_size)) : Cell(),
          bytes(known.swapped(), header),
          use && process.areas.empty() ? Cell() : bytes(known.virtual_pages, header)};
}

std::uint64_t milliseconds(std::uint64_t ticks, const Header& header) {
  return ticks * 1000 / header.hz;
}

/// "rwxp", as in /proc/PID/maps.
std::string permissions(const Vma& vma) {
  std::string text = "---p";
  if (vma.is(PM_VMA_READ)) text[0] = 'r';
  if (vma.is(PM_VMA_WRITE)) text[1] = 'w';
  if (vma.is(PM_VMA_EXEC)) text[2] = 'x';
  if (vma.is(PM_VMA_SHARED)) text[3] = 's';
  return text;
}

}  // namespace

std::string_view database_tables() {
  return R"(
CREATE TABLE snapshots (  -- NULL: unknown; time_ns: since 1970, UTC; uptime_ns: since boot
  id INTEGER PRIMARY KEY, source TEXT, host TEXT, machine_id TEXT, boot_id TEXT, kernel TEXT,
  arch TEXT, collector TEXT, time_ns INTEGER, uptime_ns INTEGER, page_size INTEGER,
  ram_bytes INTEGER);
CREATE TABLE processes (  -- start_time: ticks since boot; swap_bytes: also what others share
  id INTEGER PRIMARY KEY, snapshot INTEGER REFERENCES snapshots, pid INTEGER, ppid INTEGER,
  uid INTEGER, command TEXT, cgroup TEXT, start_time INTEGER, threads INTEGER,
  is_kernel_thread INTEGER, rss_bytes INTEGER, uss_bytes INTEGER, pss_bytes INTEGER,
  swap_bytes INTEGER, vss_bytes INTEGER, minor_faults INTEGER, major_faults INTEGER,
  user_ms INTEGER, system_ms INTEGER);
CREATE TABLE units (  -- mapped files; device: major << 32 | minor; bss, data, text: frames
  id INTEGER PRIMARY KEY, snapshot INTEGER REFERENCES snapshots, file TEXT, device INTEGER,
  inode INTEGER, bss_bytes INTEGER, data_bytes INTEGER, text_bytes INTEGER, processes INTEGER);
CREATE TABLE areas (  -- VMAs; start, last: addresses, inclusive; special_bytes: not in RSS
  id INTEGER PRIMARY KEY, process INTEGER REFERENCES processes, unit INTEGER REFERENCES units,
  label TEXT, start INTEGER, last INTEGER, permissions TEXT, file_region TEXT, anon_region TEXT,
  file_bytes INTEGER, anon_bytes INTEGER, special_bytes INTEGER, uss_bytes INTEGER,
  pss_bytes INTEGER, swap_bytes INTEGER);
CREATE TABLE ledger (  -- classes of frames of RAM; owned_bytes: with a known owner
  snapshot INTEGER REFERENCES snapshots, class TEXT, bytes INTEGER, owned_bytes INTEGER,
  PRIMARY KEY (snapshot, class)) WITHOUT ROWID;
CREATE TABLE files (  -- files in the page cache; length: bytes; device as in units
  snapshot INTEGER REFERENCES snapshots, device INTEGER, inode INTEGER, file TEXT,
  file_system TEXT, kind TEXT, is_deleted INTEGER, length INTEGER, cached_bytes INTEGER,
  mapped_bytes INTEGER, dirty_bytes INTEGER, writeback_bytes INTEGER, active_bytes INTEGER,
  processes INTEGER);
CREATE TABLE counters (  -- of the kernel; _kB, _us, _ns: units; others: counts
  snapshot INTEGER REFERENCES snapshots, name TEXT, value INTEGER,
  PRIMARY KEY (snapshot, name)) WITHOUT ROWID;
CREATE VIEW regions AS
  SELECT process, unit, label, region, sum(bytes) AS bytes FROM (
    SELECT process, unit, label, file_region AS region, file_bytes AS bytes FROM areas
    UNION ALL
    SELECT process, unit, label, anon_region, anon_bytes FROM areas)
  WHERE bytes > 0 GROUP BY process, unit, label, region;
)";
}

std::string_view database_indices() {
  return R"(
CREATE INDEX processes_of_snapshot ON processes (snapshot, pid);
CREATE INDEX units_of_snapshot ON units (snapshot, file);
CREATE INDEX areas_of_process ON areas (process);
CREATE INDEX areas_of_unit ON areas (unit);
CREATE INDEX files_of_snapshot ON files (snapshot, cached_bytes);
)";
}

std::vector<Cell> snapshot_cells(std::uint64_t id, const std::string& source,
                                 const Header& header) {
  return {id,
          source,
          known(header.host),
          known(header.machine_id),
          known(header.boot_id),
          known(header.kernel),
          known(header.arch),
          known(header.collector),
          known(header.time_ns),
          known(header.uptime_ns),
          header.page_size.bytes,
          header.ram_pages ? bytes(*header.ram_pages, header) : Cell()};
}

std::vector<Cell> process_cells(std::uint64_t id, std::uint64_t snapshot, const Process& process,
                                const std::optional<MemoryUse>& use, const Header& header) {
  const Task& task = process.task;
  const std::uint64_t is_kernel_thread = process.is_kernel_thread() ? 1 : 0;
  std::vector<Cell> cells{id, snapshot, process.pid()};
  if (task.identity)
    cells.insert(cells.end(), {task.identity->ppid, task.identity->uid});
  else
    cells.resize(cells.size() + 2);
  cells.insert(cells.end(), {task.comm, task.group ? known(task.group->cgroup) : Cell(),
                             task.identity ? Cell(task.identity->start_time) : Cell(),
                             process.threads, is_kernel_thread});
  for (Cell& cell : use_cells(process, use, header)) cells.push_back(std::move(cell));
  const TaskGroup group =
      task.group.value_or(TaskGroup{task.min_flt, task.maj_flt, task.utime, task.stime, {}});
  cells.insert(cells.end(), {group.min_flt, group.maj_flt, milliseconds(group.utime, header),
                             milliseconds(group.stime, header)});
  return cells;
}

std::vector<Cell> area_cells(std::uint64_t id, std::uint64_t process,
                             std::optional<std::uint64_t> unit, const Area& area,
                             const Header& header) {
  const AreaTally& tally = area.tally;
  return {id,
          process,
          known(unit),
          unit ? Cell() : known(area.vma.unit.text()),
          area.vma.start,
          area.vma.last,
          permissions(area.vma),
          std::string(name(area.regions.file)),
          std::string(name(area.regions.anon)),
          bytes(tally.file.pages, header),
          bytes(tally.anon.pages, header),
          bytes(tally.special, header),
          bytes(tally.unique(), header),
          tally.has_unlisted ? Cell() : Cell(tally.share().bytes(header.page_size)),
          bytes(tally.swapped, header)};
}

std::vector<Cell> unit_cells(std::uint64_t id, std::uint64_t snapshot, const UnitKey& key,
                             const std::string& name, const UnitTotalsRow* totals,
                             const Header& header) {
  const auto& [device, inode] = key.first;
  std::vector<Cell> cells{id, snapshot, name, device, inode};
  cells.resize(cells.size() + 4);
  if (totals == nullptr) return cells;
  // Only M: lines show which frames are the same.
  if (header.has_pages) {
    cells[5] = bytes(totals->physical.bss, header);
    cells[6] = bytes(totals->physical.data, header);
    cells[7] = bytes(totals->physical.text, header);
  }
  cells[8] = totals->processes;
  return cells;
}

std::vector<Cell> class_cells(std::uint64_t snapshot, const ClassPages& row, const Header& header) {
  return {snapshot, row.name, bytes(row.pages, header),
          row.owned ? bytes(*row.owned, header) : Cell()};
}

std::vector<Cell> file_cells(std::uint64_t snapshot, const PageCache& cache, const CacheRow& row,
                             const Header& header) {
  const CachedFile& file = *row.file;
  const CacheCounts& counts = *row.counts;
  const std::uint64_t is_deleted = file.is_deleted ? 1 : 0;
  return {snapshot,
          file.device,
          file.inode,
          file.name,
          known(cache.file_system(file)),
          kind_word(file.kind),
          is_deleted,
          file.bytes,
          bytes(counts.pages, header),
          counts.without_use == 0 ? bytes(counts.mapped, header) : Cell(),
          counts.without_states == 0 ? bytes(counts.dirty, header) : Cell(),
          counts.without_states == 0 ? bytes(counts.writeback, header) : Cell(),
          counts.without_use == 0 ? bytes(counts.active, header) : Cell(),
          known(row.processes)};
}

}  // namespace physmem
