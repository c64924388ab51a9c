// SPDX-License-Identifier: MIT
#include "library/snapshot_fold.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "analyzer/analyze/owner_identity.h"
#include "analyzer/analyze/ram/class_pages.h"

namespace physmem {
namespace {

constexpr std::uint64_t kLow32 = 0xFFFFFFFF;

std::optional<double> known_share(const PageShare& share, bool is_known) {
  return is_known ? std::optional(share.pages()) : std::nullopt;
}

/// USS and PSS of a group are the sums of what is known.
void set_sums(MemorySums& row, const MemoryUse& use, bool has_unique, bool has_share) {
  if (has_unique) row.uss = use.unique;
  row.pss = known_share(use.share, has_share);
  row.rss = use.resident;
  row.swap = use.swapped();
  if (use.virtual_pages != 0) row.vss = use.virtual_pages;
}

void set_regions_of(RegionSums& row, const RegionPages& pages) {
  row.stack = pages.of(Region::kStack);
  row.heap = pages.of(Region::kHeap);
  row.app_bss = pages.of(Region::kAppBss);
  row.app_data = pages.of(Region::kAppData);
  row.app_text = pages.of(Region::kAppText);
  row.lib_bss = pages.of(Region::kLibBss);
  row.lib_data = pages.of(Region::kLibData);
  row.lib_text = pages.of(Region::kLibText);
  row.mapped_file = pages.of(Region::kMappedFile);
  row.shared_memory = pages.of(Region::kSharedMemory);
  row.special = pages.of(Region::kSpecial);
  row.unexplained = pages.of(Region::kUnexplained);
}

std::string count_word(Header::Count count) {
  switch (count) {
    case Header::Count::kMapcount:
      return "mappings";
    case Header::Count::kAverage:
      return "average";
    case Header::Count::kRefs:
      break;
  }
  return "references";
}

void set_header(SnapshotInfo& info, const Header& header) {
  info.format_version = header.version;
  info.architecture = header.arch;
  info.kernel = header.kernel;
  info.collector = header.collector;
  info.host = header.host;
  info.machine_id = header.machine_id;
  info.boot_id = header.boot_id;
  info.sequence = header.sequence;
  info.page_size = header.page_size.bytes;
  info.time_ns = header.time_ns;
  info.uptime_ns = header.uptime_ns;
  info.ram_pages = header.ram_pages;
  info.has_areas = header.has_areas;
  info.has_pages = header.has_pages;
  info.has_ram = header.ram == Header::Ram::kAll;
  info.count_kind = count_word(header.count);
}

}  // namespace

void ProcessRows::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters)
    data_.counters.push_back({std::string(counter.name), counter.value});
  sizes_.add(counters);
}

void ProcessRows::on_process(const Process& process) {
  const std::optional<MemoryUse> use = use_of(process, sizes_, page_size_);
  if (!use) return;
  if (data_.options.keeps_areas)
    for (const Area& area : process.areas) data_.areas.push_back(row_of(process, area));
  ProcessRow& row = data_.processes.emplace_back();
  set_sums(row, *use, use->is_unique_known, use->is_share_known);
  if (!process.areas.empty()) set_regions_of(row, summary_.basic().rows().back().physical);
  row.pid = process.pid();
  row.name = process.task.comm;
  if (process.task.identity) row.uid = process.task.identity->uid;
  if (process.task.group) row.cgroup = process.task.group->cgroup;
  row.threads = process.threads;
}

/// The index of its process is the index of the next row.
AreaRow ProcessRows::row_of(const Process& process, const Area& area) {
  AreaRow row;
  row.pid = process.pid();
  row.process = data_.processes.size();
  row.start = area.vma.start;
  row.last = area.vma.last;
  row.flags = area.marks.flags;
  row.offset = area.vma.offset;
  row.device_major = area.vma.device >> 32;
  row.device_minor = area.vma.device & kLow32;
  row.inode = area.vma.inode;
  row.unit = kept(area.marks.unit.text());
  row.file_region = name(area.regions.file);
  row.anon_region = name(area.regions.anon);
  row.vss = area.virtual_pages;
  row.uss = area.tally.unique();
  row.pss = known_share(area.tally.share(), !area.tally.has_unlisted);
  row.file_pages = area.tally.file.pages;
  row.anon_pages = area.tally.anon.pages;
  row.special_pages = area.tally.special;
  row.swap = area.tally.swapped;
  return row;
}

std::string_view ProcessRows::kept(const std::string& text) {
  return text.empty() ? std::string_view() : *data_.texts.insert(text).first;
}

SnapshotFold::SnapshotFold(const OpenOptions& options)
    : data_(std::make_unique<SnapshotData>()),
      rows_(summary_, *data_),
      census_({&summary_, &users_, &cgroups_, &mappings_, &ledger_, &rows_},
              {.pids = std::set<std::uint64_t>(options.pids.begin(), options.pids.end())}) {
  data_->options = options;
}

std::unique_ptr<SnapshotData> SnapshotFold::take(const ReadNotes& notes) {
  set_info(notes);
  set_notes(notes);
  set_units();
  set_groups();
  set_regions();
  set_ram();
  return std::move(data_);
}

void SnapshotFold::set_info(const ReadNotes& notes) {
  SnapshotInfo& info = data_->info;
  set_header(info, census_.header());
  info.processes = summary_.processes();
  info.threads = summary_.threads();
  info.kernel_threads = summary_.kernel_threads();
  if (summary_.pages().is_known()) info.user_pages = summary_.pages().pages();
  if (ledger_.is_known()) info.ram_frames = ledger_.frames();
  info.is_complete = !notes.data_is_missing() && census_.not_found().empty();
}

void SnapshotFold::set_notes(const ReadNotes& notes) {
  const auto add = [this](std::string name, std::uint64_t value) {
    if (value != 0) data_->notes.push_back({std::move(name), value});
  };
  add("elided_lines", notes.elided);
  add("wrong_counts", notes.wrong_counts);
  add("unknown_records", notes.unknown_records);
  add("repeated_areas", census_.repeated_areas());
  add("excluded_pages", notes.excluded);
  add("pids_not_found", census_.not_found().size());
  for (const auto& [name, value] : notes.collector) add("collector." + name, value);
}

void SnapshotFold::set_units() {
  const bool is_known = census_.header().has_pages;
  for (const UnitTotalsRow& unit : summary_.units().rows()) {
    UnitRow& row = data_->units.emplace_back();
    const auto& [device, inode] = unit.key.first;
    row.path = unit.unit;
    row.device_major = device >> 32;
    row.device_minor = device & kLow32;
    row.inode = inode;
    if (is_known) {
      row.bss = unit.physical.bss;
      row.data = unit.physical.data;
      row.text = unit.physical.text;
      row.frames = unit.physical.total();
    }
    row.processes = unit.processes;
    row.uss = unit.unique;
    row.pss = known_share(unit.share, unit.is_share_known);
    row.rss = unit.resident;
  }
}

void SnapshotFold::set_groups() {
  for (const MemoryUseRow& use : users_.rows()) {
    UserRow& row = data_->users.emplace_back();
    set_sums(row, use.use, use.has_unique(), use.has_share());
    row.uid = use.uid;
    row.processes = use.processes;
    row.unread = use.unread();
    row.threads = use.threads;
  }
  for (const MemoryUseRow& use : cgroups_.rows()) {
    CgroupRow& row = data_->cgroups.emplace_back();
    set_sums(row, use.use, use.has_unique(), use.has_share());
    row.path = use.cgroup;
    row.processes = use.processes;
    row.unread = use.unread();
    row.threads = use.threads;
  }
  for (const MemoryUseRow& use : mappings_.rows()) {
    MappingRow& row = data_->mappings.emplace_back();
    set_sums(row, use.use, use.has_unique(), use.has_share());
    row.name = use.name;
    row.processes = use.processes;
  }
}

void SnapshotFold::set_regions() {
  for (std::size_t i = 0; i < kRegions; ++i) {
    const auto region = static_cast<Region>(i);
    RegionRow& row = data_->regions.emplace_back();
    row.name = name(region);
    if (summary_.pages().is_known()) row.frames = summary_.regions()[i];
    for (const BasicRow& process : summary_.basic().rows()) row.rss += process.physical.of(region);
  }
}

void SnapshotFold::set_ram() {
  if (!ledger_.is_known()) return;
  for (ClassPages& row : class_pages(ledger_))
    data_->ledger.push_back({std::move(row.name), row.pages, row.owned});
  for (const OwnerRow& found : ledger_.owners()) {
    if (found.pages == 0) continue;
    FrameOwnerRow& row = data_->owners.emplace_back();
    row.kind = owner_kind(found.owner.kind);
    row.name = found.owner.name;
    row.pages = found.pages;
    row.mapped = found.mapped;
    row.dirty = found.dirty;
    row.active = found.active;
    row.file_system = found.owner.file_system;
    row.device_major = found.owner.device >> 32;
    row.device_minor = found.owner.device & kLow32;
    row.inode = found.owner.inode;
    row.number = found.owner.number;
    row.state = owner_state(found.owner);
  }
  std::stable_sort(data_->owners.begin(), data_->owners.end(),
                   [](const auto& a, const auto& b) { return a.pages > b.pages; });
}

std::unique_ptr<SnapshotData> read_snapshot(OpenedFile& file, const OpenOptions& options) {
  SnapshotFold fold(options);
  if (!file.next(fold.census())) return nullptr;
  std::unique_ptr<SnapshotData> data = fold.take(file.notes());
  data->path = file.path();
  data->file = file.state();
  return data;
}

}  // namespace physmem
