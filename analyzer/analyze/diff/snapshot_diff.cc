// SPDX-License-Identifier: MIT
#include "analyzer/analyze/diff/snapshot_diff.h"

#include <algorithm>
#include <utility>

#include "analyzer/analyze/census.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

bool is_bss(Region region) {
  return region == Region::kAppBss || region == Region::kLibBss;
}

/// The unit of each area. A bss belongs to the file before it. Memory without a unit is identified
/// by its region.
std::vector<UnitKey> units_of(const Process& process) {
  std::vector<UnitKey> units;
  for (const Area& area : process.areas) {
    const bool has_unit = has_file(area.vma) || is_bss(area.regions.file);
    units.push_back(has_unit ? area.marks.key()
                             : UnitKey{{}, std::string(name(area.regions.file))});
  }
  return units;
}

std::string unit_name_of(const Area& area) {
  const bool has_unit = has_file(area.vma) || is_bss(area.regions.file);
  return has_unit ? area.marks.file.text() : std::string(name(area.regions.file));
}

/// The Change in the group's row, which is created if necessary. The row describes the group's
/// first area after the change, or before it if none is left.
Change& add_to_row(std::map<std::size_t, AreaChange>& rows, std::size_t group, AreaChange area) {
  AreaChange& row = rows.try_emplace(group, area).first->second;
  if (row.fate == Fate::kGone && area.fate == Fate::kNew) {
    area.fate = Fate::kStayed;
    area.change = row.change;
    row = std::move(area);
  }
  return row.change;
}

}  // namespace

std::string fate_name(Fate fate) {
  switch (fate) {
    case Fate::kNew:
      return "new";
    case Fate::kGone:
      return "gone";
    case Fate::kExec:
      return "exec";
    case Fate::kStayed:
      break;
  }
  return "stayed";
}

KeptPages& KeptPages::operator+=(const KeptPages& other) {
  pages += other.pages;
  moved += other.moved;
  to_private += other.to_private;
  copied += other.copied;
  to_shared += other.to_shared;
  return *this;
}

Change& Change::operator+=(const Change& other) {
  before += other.before;
  after += other.after;
  swapped_before += other.swapped_before;
  swapped_after += other.swapped_after;
  kept += other.kept;
  is_by_page = is_by_page && other.is_by_page;
  return *this;
}

void SnapshotDiff::on_header(const Header& header) {
  header_before_ = std::exchange(header_, header);
  ++snapshots_;
}

void SnapshotDiff::on_area(const Process& process, const Area& area) {
  if (process.areas.size() == 1) {
    now_ = {};
    now_.id = ProcessId::of(process.task);
    now_.name = process.task.comm;
    now_.cgroup = process.task.group ? process.task.group->cgroup : "";
    if (process.task.identity) now_.user = process.task.identity->uid;
    if (is_second()) find_before();
  }
  now_.places.push_back(AreaPlace::of(area.vma));
  first_pair_ = pair_ = pairs_.size();
  first_page_ = now_.pages.size();
  for (const std::size_t i : continued(old_.places, now_.places.back()))
    pairs_.push_back({i, now_.places.size() - 1, {}, true});
}

void SnapshotDiff::find_before() {
  old_ = {};
  pairs_.clear();
  const auto [first, end] = before_.equal_range(now_.id.pid);
  const auto found =
      std::find_if(first, end, [this](const auto& entry) { return entry.second.id == now_.id; });
  is_known_ = found != end;
  if (is_known_) old_ = std::move(before_.extract(found).mapped());
}

PageSet::Page SnapshotDiff::seen(const PageRun& page) const {
  const bool is_anon = header_.stable_flags && (page.flags & PM_PAGE_ANON) != 0;
  return {header_.frame(page.value), is_anon && page.count == 1};
}

void SnapshotDiff::on_pages(const Process&, const Area&, std::span<const PageRun> runs) {
  const std::uint64_t outside = kinds_of(header_).special;
  for_each_page(runs, header_.page_size.bytes, [&](const PageRun& page) {
    if ((page.flags & outside) != 0) return;
    if (is_second())
      compare(page.va, seen(page));
    else
      now_.pages.add(page.va >> header_.page_size.shift(), seen(page));
  });
}

/// Compares a page of the second snapshot with the page at this address in the first.
void SnapshotDiff::compare(std::uint64_t va, PageSet::Page page) {
  while (pair_ < pairs_.size() && old_.places[pairs_[pair_].before].last < va) ++pair_;
  if (pair_ == pairs_.size() || va < old_.places[pairs_[pair_].before].start) return;
  const auto before = old_.pages.find(va >> header_.page_size.shift());
  if (!before) return;
  const bool is_moved = before->frame != page.frame;
  const bool is_to_private = page.is_private && !before->is_private;
  KeptPages& kept = pairs_[pair_].kept;
  kept.pages += 1;
  kept.moved += is_moved ? 1 : 0;
  kept.to_private += is_to_private ? 1 : 0;
  kept.copied += is_to_private && is_moved ? 1 : 0;
  kept.to_shared += before->is_private && !page.is_private ? 1 : 0;
}

void SnapshotDiff::on_area_end(const Process&, const Area& area) {
  const AreaTally& tally = area.tally;
  Facts& facts = now_.facts.emplace_back();
  facts.resident = tally.resident();
  facts.swapped = tally.swapped;
  now_.slots += tally.slots;
  facts.first_seen = tally.file.first_seen + tally.anon.first_seen;
  facts.is_listed = !tally.has_unlisted && (!is_second() || has_pages());
  // Only known at the end of the area: pages of [vvar] are special on most kernels.
  if (facts.resident != 0) return;
  now_.pages.shrink(first_page_);
  for (std::size_t i = first_pair_; i < pairs_.size(); ++i) pairs_[i].kept = {};
}

void SnapshotDiff::on_process(const Process& process) {
  if (process.is_unread()) pass_unread(process);
  if (process.areas.empty()) return;
  complete(process);
  if (!is_second()) {
    now_.pages.fit();
    before_.emplace(now_.id.pid, std::move(now_));
    return;
  }
  if (unread_before_.contains(now_.id)) {
    ++half_read_;
    return;
  }
  const bool is_other = is_exec(old_.program, now_.program);
  // The new program's memory may have the same addresses.
  if (is_other) pairs_.clear();
  compare_counts();
  conclude(old_, now_, !is_known_ ? Fate::kNew : is_other ? Fate::kExec : Fate::kStayed);
}

void SnapshotDiff::pass_unread(const Process& process) {
  now_ = {};
  now_.id = ProcessId::of(process.task);
  if (!is_second()) {
    unread_before_.insert(now_.id);
    return;
  }
  find_before();
  if (is_known_) ++half_read_;
}

/// Adds the facts that are known after the last area.
void SnapshotDiff::complete(const Process& process) {
  now_.program = program_of(process);
  std::vector<UnitKey> units = units_of(process);
  for (std::size_t i = 0; i < process.areas.size(); ++i) {
    Facts& facts = now_.facts[i];
    facts.region = process.areas[i].regions.file;
    facts.label = process.areas[i].vma.unit;
    facts.unit = std::move(units[i]);
    facts.name = unit_name_of(process.areas[i]);
  }
}

/// In pairs without page lists, the smaller count was kept, without pages that other pairs kept.
void SnapshotDiff::compare_counts() {
  const auto rest = [](std::uint64_t& of, std::uint64_t n) { of -= std::min(of, n); };
  std::vector<std::uint64_t> before;
  std::vector<std::uint64_t> after;
  for (const Facts& facts : old_.facts) before.push_back(facts.resident);
  for (const Facts& facts : now_.facts) after.push_back(facts.resident);
  for (Pair& pair : pairs_) {
    pair.is_by_page = old_.facts[pair.before].is_listed && now_.facts[pair.after].is_listed;
    if (!pair.is_by_page) pair.kept = {std::min(before[pair.before], after[pair.after])};
    rest(before[pair.before], pair.kept.pages);
    rest(after[pair.after], pair.kept.pages);
  }
}

void SnapshotDiff::conclude(const Record& before, const Record& after, Fate fate) {
  const Record& named = fate == Fate::kGone ? before : after;
  ProcessChange row{named.name, {}, named.id.pid, fate, {}, named.cgroup, named.user};
  if (fate == Fate::kExec || before.name != named.name) row.name_before = before.name;
  row.change = add_areas(before, after);
  add_to_units(before, after);
  slots_before_ += before.slots;
  slots_ += after.slots;
  processes_.push_back(std::move(row));
}

AreaChange SnapshotDiff::area_row(const Record& record, std::size_t i, Fate fate) const {
  const AreaPlace& place = record.places[i];
  const Facts& facts = record.facts[i];
  return {processes_.size(), facts.region, facts.label, place.start, place.last, fate, {}};
}

/// Adds a row for each group of areas that continue each other. Returns their sum.
Change SnapshotDiff::add_areas(const Record& before, const Record& after) {
  const std::size_t known = before.places.size();
  AreaGroups groups(known + after.places.size());
  for (const Pair& pair : pairs_) groups.join(pair.before, known + pair.after);
  // Ordered by first area.
  std::map<std::size_t, AreaChange> rows;
  std::vector<std::size_t> first(groups.size(), groups.size());
  const auto row_of = [&](std::size_t i) {
    std::size_t& row = first[groups.find(i)];
    return row = std::min(row, i);
  };
  for (std::size_t i = 0; i < known; ++i)
    add_to_row(rows, row_of(i), area_row(before, i, Fate::kGone)) +=
        {before.facts[i].resident, 0, before.facts[i].swapped, 0, {}, true};
  for (std::size_t i = 0; i < after.places.size(); ++i)
    add_to_row(rows, row_of(known + i), area_row(after, i, Fate::kNew)) +=
        {0, after.facts[i].resident, 0, after.facts[i].swapped, {}, true};
  for (const Pair& pair : pairs_)
    rows.at(row_of(pair.before)).change += {0, 0, 0, 0, pair.kept, pair.is_by_page};
  Change sum;
  for (auto& [group, row] : rows) {
    sum += row.change;
    areas_.push_back(std::move(row));
  }
  return sum;
}

void SnapshotDiff::add_to_units(const Record& before, const Record& after) {
  for (const Facts& facts : before.facts) {
    UnitChange& unit = unit_of(facts);
    unit.change += {facts.resident, 0, facts.swapped, 0, {}, true};
    unit.distinct_before += facts.first_seen;
  }
  for (const Facts& facts : after.facts) {
    UnitChange& unit = unit_of(facts);
    unit.change += {0, facts.resident, 0, facts.swapped, {}, true};
    unit.distinct_after += facts.first_seen;
  }
  // If the area now belongs to another unit, neither unit kept its pages.
  for (const Pair& pair : pairs_)
    if (before.facts[pair.before].unit == after.facts[pair.after].unit)
      unit_of(after.facts[pair.after]).change += {0, 0, 0, 0, pair.kept, pair.is_by_page};
}

UnitChange& SnapshotDiff::unit_of(const Facts& facts) {
  UnitChange& unit = units_[facts.unit];
  if (unit.unit.empty()) unit.unit = facts.name;
  return unit;
}

void SnapshotDiff::on_end() {
  if (!is_second()) return;
  pairs_.clear();
  for (const auto& [pid, record] : before_) conclude(record, {}, Fate::kGone);
  before_.clear();
}

std::vector<UnitChange> SnapshotDiff::units() const {
  std::vector<UnitChange> rows;
  rows.reserve(units_.size());
  for (const auto& [key, row] : units_) rows.push_back(row);
  return rows;
}

UnitChange SnapshotDiff::total() const {
  UnitChange total;
  for (const auto& [key, row] : units_) {
    total.distinct_before += row.distinct_before;
    total.distinct_after += row.distinct_after;
  }
  for (const ProcessChange& row : processes_) total.change += row.change;
  return total;
}

std::pair<std::uint64_t, std::uint64_t> SnapshotDiff::in_swap() const {
  const Change sum = total().change;
  return {sum.swapped_before - slots_before_.entries() + slots_before_.distinct(),
          sum.swapped_after - slots_.entries() + slots_.distinct()};
}

}  // namespace physmem
