// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram_diff.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyzer/analyze/class_pages.h"
#include "analyzer/analyze/series_order.h"

namespace physmem {

void RamDiff::on_header(const Header& header) {
  if (++snapshots_ > 2) return;
  if (is_second()) {
    const Header& before = ledger_.header();
    const SeriesStep step = step_between(before, header);
    knows_stayed_ = (step == SeriesStep::kNext || step == SeriesStep::kNotLater) &&
                    before.page_size.bytes == header.page_size.bytes;
    before_ = std::move(ledger_);
    index_before();
  }
  ledger_.on_header(header);
  directory_ = {};
  indices_.clear();
}

void RamDiff::index_before() {
  for (std::size_t i = 0; i < owners_.size(); ++i) index_.add(owners_[i].owner, i);
  index_.sort();
  for (std::uint32_t i = 0; i < runs_.size(); ++i)
    if (is_file(runs_[i].owner)) files_.push_back(i);
  std::sort(files_.begin(), files_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::tuple(runs_[a].owner, runs_[a].place) < std::tuple(runs_[b].owner, runs_[b].place);
  });
}

void RamDiff::on_counters(std::span<const Counter> counters) {
  ledger_.on_counters(counters);
}

void RamDiff::on_task(const Task& task) {
  directory_.on_task(task);
}

void RamDiff::on_zone(const Zone& zone) {
  ledger_.on_zone(zone);
}

void RamDiff::on_owner(const RamOwner& owner) {
  if (snapshots_ > 2) return;
  OwnerIdentity identity = OwnerIdentity::of(directory_.add(owner));
  std::optional<std::size_t> known;
  if (is_second())
    known = index_.find(
        identity, [this](std::size_t i) -> auto& { return owners_[i].owner; });
  const std::size_t index = known.value_or(owners_.size());
  if (!known) owners_.push_back({std::move(identity)});
  OwnerChange& change = owners_[index];
  (is_second() ? change.is_there : change.was_there) = true;
  indices_.push_back(static_cast<std::uint32_t>(index));
}

std::uint32_t RamDiff::index_of(std::uint64_t id) const {
  const auto place = directory_.find(id);
  return place ? indices_[*place] : kNoOwner;
}

bool RamDiff::is_file(std::uint32_t owner) const {
  return owner != kNoOwner && owners_[owner].owner.kind == RamOwner::Kind::kFile;
}

void RamDiff::on_ram(const RamRun& run) {
  if (snapshots_ > 2) return;
  ledger_.on_ram(run);
  const std::uint32_t owner = index_of(run.owner);
  const std::uint32_t cgroup = index_of(run.cgroup);
  if (owner == kNoOwner && cgroup == kNoOwner) return;
  for (const std::uint32_t index : {owner, cgroup})
    if (index != kNoOwner)
      (is_second() ? owners_[index].after : owners_[index].before) += run.pages;
  if (!is_second()) return store(run, owner, cgroup);
  if (!knows_stayed_) return;
  compare_frames(run, owner, cgroup);
  if (is_file(owner)) compare_places(run, owner);
}

void RamDiff::store(const RamRun& run, std::uint32_t owner, std::uint32_t cgroup) {
  constexpr std::uint64_t kMaxPages = 4095;
  constexpr std::uint64_t kFrames = (std::uint64_t{1} << 52) - 1;
  for (std::uint64_t done = 0; done < run.pages; done += kMaxPages) {
    const std::uint64_t pages = std::min(run.pages - done, kMaxPages);
    runs_.push_back(
        {(run.first_pfn + done) & kFrames, pages & kMaxPages, run.place + done, owner, cgroup});
  }
}

/// Runs of both snapshots ascend.
void RamDiff::compare_frames(const RamRun& run, std::uint32_t owner, std::uint32_t cgroup) {
  const std::uint64_t end = run.first_pfn + run.pages;
  while (next_ < runs_.size() && runs_[next_].end() <= run.first_pfn) ++next_;
  for (std::size_t i = next_; i < runs_.size() && runs_[i].first_pfn < end; ++i) {
    const Run& before = runs_[i];
    const std::uint64_t common =
        std::min(end, before.end()) - std::max<std::uint64_t>(run.first_pfn, before.first_pfn);
    if (owner != kNoOwner && owner == before.owner && !is_file(owner))
      owners_[owner].stayed += common;
    if (cgroup != kNoOwner && cgroup == before.cgroup) owners_[cgroup].stayed += common;
  }
}

void RamDiff::compare_places(const RamRun& run, std::uint32_t owner) {
  const std::uint64_t end = run.place + run.pages;
  auto at = std::upper_bound(
      files_.begin(), files_.end(), run.place, [&](std::uint64_t place, std::uint32_t i) {
        return std::tuple(owner, place) < std::tuple(runs_[i].owner, runs_[i].place);
      });
  if (at != files_.begin()) --at;
  for (; at != files_.end() && runs_[*at].owner <= owner; ++at) {
    const Run& before = runs_[*at];
    if (before.owner != owner || before.place + before.pages <= run.place) continue;
    if (before.place >= end) break;
    const std::uint64_t common =
        std::min(end, before.place + before.pages) - std::max(run.place, before.place);
    owners_[owner].stayed += common;
    if (run.first_pfn - run.place != before.first_pfn - before.place)
      owners_[owner].moved += common;
  }
}

/// A page that migrated while frames were read may have been seen twice.
void RamDiff::on_end() {
  if (!is_second()) return runs_.shrink_to_fit();
  for (OwnerChange& change : owners_) {
    change.stayed = std::min({change.stayed, change.before, change.after});
    change.moved = std::min(change.moved, change.stayed);
  }
  runs_ = {};
  files_ = {};
}

bool RamDiff::has_changed(const OwnerChange& change) const {
  if (!knows_stayed_) return change.before != change.after;
  return change.came() + change.went() + change.moved != 0;
}

std::vector<ClassChange> RamDiff::classes() const {
  std::map<std::string, ClassChange> by_name;
  const auto change_of = [&](const std::string& name) -> ClassChange& {
    ClassChange& change = by_name[name];
    change.name = name;
    return change;
  };
  for (const ClassPages& row : class_pages(before_)) change_of(row.name).before = row.pages;
  for (const ClassPages& row : class_pages(ledger_)) change_of(row.name).after = row.pages;
  std::vector<ClassChange> changes;
  for (auto& [name, change] : by_name) changes.push_back(std::move(change));
  const auto size = [](const ClassChange& c) {
    return std::max(c.before, c.after) - std::min(c.before, c.after);
  };
  std::stable_sort(changes.begin(), changes.end(),
                   [&](const auto& a, const auto& b) { return size(a) > size(b); });
  return changes;
}

}  // namespace physmem
