// SPDX-License-Identifier: MIT
#include "analyzer/analyze/diff/ram_diff.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "analyzer/analyze/ram/class_pages.h"
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
  index_.sort([this](std::size_t i) -> auto& { return owners_[i].owner; });
  for (std::uint32_t i = 0; i < runs_.size(); ++i)
    if (is_file(runs_[i].owner)) files_.push_back({i});
  const auto key = [this](const FilePart& part) {
    const Run& run = runs_[part.run];
    return std::tuple(run.owner, run.place, part.run);
  };
  std::sort(files_.begin(), files_.end(),
            [&](const FilePart& a, const FilePart& b) { return key(a) < key(b); });
  keep_disjoint();
}

/// Keeps only the first of several runs of a file at the same place.
void RamDiff::keep_disjoint() {
  std::size_t kept = 0;
  for (FilePart part : files_) {
    const Run& run = runs_[part.run];
    if (kept != 0 && runs_[files_[kept - 1].run].owner == run.owner) {
      const std::uint64_t end = runs_[files_[kept - 1].run].place_end();
      if (end >= run.place_end()) continue;
      if (end > run.place) part.skipped = end - run.place;
    }
    part.next = static_cast<std::uint32_t>(kept);
    files_[kept++] = part;
  }
  files_.resize(kept);
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
  constexpr std::uint64_t kFrames = (std::uint64_t{1} << 52) - 1;
  constexpr std::uint64_t kMaxDigits = (std::uint64_t{1} << Run::kDigits) - 1;
  constexpr unsigned kMaxExponent = 31;
  for (std::uint64_t done = 0; done < run.pages; done += runs_.back().pages()) {
    const std::uint64_t left = run.pages - done;
    const auto bits = static_cast<unsigned>(std::bit_width(left));
    const unsigned exponent = std::min(bits - std::min(bits, Run::kDigits), kMaxExponent);
    const std::uint64_t digits = std::min(left >> exponent, kMaxDigits);
    runs_.push_back({(run.first_pfn + done) & kFrames, digits & kMaxDigits, exponent & kMaxExponent,
                     run.place + done, owner, cgroup});
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

/// The first part from this one on that no run of the second snapshot has covered.
std::size_t RamDiff::uncovered(std::size_t part) {
  while (part < files_.size() && files_[part].next != part) {
    const std::size_t next = files_[part].next;
    if (next < files_.size()) files_[part].next = files_[next].next;
    part = next;
  }
  return part;
}

/// A part that is covered as a whole is not looked at again, so that runs with the same places,
/// which a crafted snapshot may have, cost no more than others.
void RamDiff::compare_places(const RamRun& run, std::uint32_t owner) {
  const std::uint64_t end = run.place + run.pages;
  const auto ends_before = [this](const FilePart& part, const auto& key) {
    return std::tuple(runs_[part.run].owner, runs_[part.run].place_end()) <= key;
  };
  const auto first =
      std::lower_bound(files_.begin(), files_.end(), std::tuple(owner, run.place), ends_before);
  for (std::size_t i = uncovered(static_cast<std::size_t>(first - files_.begin()));
       i < files_.size(); i = uncovered(i + 1)) {
    const Run& before = runs_[files_[i].run];
    const std::uint64_t begin = before.place + files_[i].skipped;
    if (before.owner != owner || begin >= end) break;
    const std::uint64_t common = std::min(end, before.place_end()) - std::max(run.place, begin);
    owners_[owner].stayed += common;
    if (run.first_pfn - run.place != before.first_pfn - before.place)
      owners_[owner].moved += common;
    if (run.place <= begin && before.place_end() <= end)
      files_[i].next = static_cast<std::uint32_t>(i + 1);
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

bool RamDiff::has_names() const {
  const auto is_file = [](const OwnerChange& change) {
    return change.owner.kind == RamOwner::Kind::kFile;
  };
  return before_.of(PM_RAM_FILE) == 0 || ledger_.of(PM_RAM_FILE) == 0 ||
         std::any_of(owners_.begin(), owners_.end(), is_file);
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
  changes.reserve(by_name.size());
  for (auto& [name, change] : by_name) changes.push_back(std::move(change));
  const auto size = [](const ClassChange& c) {
    return std::max(c.before, c.after) - std::min(c.before, c.after);
  };
  std::stable_sort(changes.begin(), changes.end(),
                   [&](const auto& a, const auto& b) { return size(a) > size(b); });
  return changes;
}

}  // namespace physmem
