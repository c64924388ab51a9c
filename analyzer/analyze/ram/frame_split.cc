// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/frame_split.h"

#include <limits>

namespace physmem {

void GroupedEvents::on_header(const Header& header) {
  header_ = header;
  groups_.on_header();
  zone_counters_.on_header();
  zones_.clear();
  counters_.clear();
  tasks_.clear();
  tee_.clear();
  parts_.clear();
  has_begun_ = false;
}

void GroupedEvents::on_counters(std::span<const Counter> counters) {
  if (has_begun_) return tee_.on_counters(counters);
  zone_counters_.on_counters(counters);
  groups_.on_counters(counters);
  for (const Counter& counter : counters) counters_.emplace_back(counter.name, counter.value);
}

/// What selects each group: its nodes, and its zones if they are not a whole node.
std::vector<RamSelection> GroupedEvents::selections() {
  const std::vector<Zone>& zones = zones_.empty() ? zone_counters_.zones() : zones_;
  for (const Zone& zone : zones) groups_.on_zone(zone);
  const RamSelection& all = groups_.selection();
  const bool names_zones = all.by == RamSelection::By::kZone || !all.zones.empty();
  std::vector<RamSelection> selections;
  const RamSelection none{.payers = all.payers};
  for (const Zone& zone : zones) {
    if (!groups_.has(zone)) continue;
    const std::size_t group = groups_.group_of(zone);
    if (group >= selections.size()) selections.resize(group + 1, none);
    selections[group].nodes.insert(zone.node);
    if (names_zones) selections[group].zones.insert(zone.name);
  }
  // Groups of earlier snapshots of a series, which this one does not have.
  constexpr std::uint64_t kNoNode = std::numeric_limits<std::uint64_t>::max();
  for (RamSelection& selection : selections)
    if (selection.nodes.empty()) selection.nodes.insert(kNoNode);
  return selections;
}

/// Each group gets what the snapshot has had so far. The last part is of frames outside of all
/// zones.
void GroupedEvents::begin() {
  if (std::exchange(has_begun_, true)) return;
  const std::vector<RamSelection> all = selections();
  for (std::size_t group = 0; group < all.size(); ++group)
    tee_.add(parts_.emplace_back(fold_of(group), all[group], only_).filter);
  const RamSelection outside{.is_outside = true, .payers = groups_.selection().payers};
  if (!groups_.is_filtered())
    tee_.add(parts_.emplace_back(fold_of_outside(), outside, only_).filter);
  std::vector<Counter> counters;
  for (const auto& [name, value] : counters_) counters.push_back({name, value});
  tee_.on_header(header_);
  tee_.on_counters(counters);
  for (Task& task : tasks_) tee_.on_task(std::move(task));
  for (const Zone& zone : zones_) tee_.on_zone(zone);
}

void GroupedEvents::on_task(Task&& task) {
  if (!zone_counters_.zones().empty()) begin();
  if (has_begun_) return tee_.on_task(std::move(task));
  tasks_.push_back(std::move(task));
}

void GroupedEvents::on_zone(const Zone& zone) {
  if (has_begun_) return tee_.on_zone(zone);
  zones_.push_back(zone);
}

void GroupedEvents::on_owner(RamOwner&& owner) {
  begin();
  tee_.on_owner(std::move(owner));
}

void GroupedEvents::on_ram(const RamRun& run) {
  begin();
  tee_.on_ram(run);
}

void GroupedEvents::on_end(const SnapshotEnd& end) {
  begin();
  tee_.on_end(end);
  if (!groups_.is_filtered()) has_outside_ = has_outside_ || parts_.back().filter.has_passed();
}

}  // namespace physmem
