// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process_split.h"

namespace physmem {

GroupedEvents::GroupedEvents(const RamSelection& selection, ProcessFilter only,
                             std::function<Analysis&()> add_fold)
    : groups_(selection), only_(std::move(only)), add_fold_(std::move(add_fold)) {}

std::string GroupedEvents::problem() const {
  return zone_counters_.zones().empty() ? no_zone_counters("split") : groups_.problem();
}

void GroupedEvents::on_header(const Header& header) {
  header_ = header;
  groups_.on_header();
  zone_counters_.on_header();
  counters_.clear();
  has_begun_ = false;
}

void GroupedEvents::on_counters(std::span<const Counter> counters) {
  if (has_begun_) return tee_.on_counters(counters);
  zone_counters_.on_counters(counters);
  groups_.on_counters(counters);
  for (const Counter& counter : counters) counters_.emplace_back(counter.name, counter.value);
}

/// Each group gets what the snapshot has in front of its tasks.
void GroupedEvents::begin() {
  if (std::exchange(has_begun_, true)) return;
  const RamSelection& all = groups_.selection();
  const bool names_zones = all.by == RamSelection::By::kZone || !all.zones.empty();
  std::vector<RamSelection> selections;
  for (const Zone& zone : zone_counters_.zones()) {
    groups_.on_zone(zone);
    if (!groups_.has(zone)) continue;
    const std::size_t group = groups_.group_of(zone);
    if (group >= selections.size()) selections.resize(group + 1);
    selections[group].nodes.insert(zone.node);
    if (names_zones) selections[group].zones.insert(zone.name);
  }
  for (const RamSelection& selection : selections)
    tee_.add(parts_.emplace_back(add_fold_(), selection, only_).filter);
  std::vector<Counter> counters;
  for (const auto& [name, value] : counters_) counters.push_back({name, value});
  tee_.on_header(header_);
  tee_.on_counters(counters);
}

void GroupedEvents::on_task(Task&& task) {
  begin();
  tee_.on_task(std::move(task));
}

void GroupedEvents::on_end(const SnapshotEnd& end) {
  begin();
  tee_.on_end(end);
}

}  // namespace physmem
