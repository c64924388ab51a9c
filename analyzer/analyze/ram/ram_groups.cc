// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/ram_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "formats/emit/ram.h"

namespace physmem {
namespace {

using By = RamSelection::By;

constexpr std::uint64_t kLastFrame = std::numeric_limits<std::uint64_t>::max();

/// The node in "node.N.tier".
std::optional<std::uint64_t> node_of_tier(std::string_view name) {
  constexpr std::string_view kFront = "node.", kBack = ".tier";
  if (!name.starts_with(kFront) || !name.ends_with(kBack)) return std::nullopt;
  name.remove_prefix(kFront.size());
  std::uint64_t node = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), node);
  if (error != std::errc() || std::string_view(end, kBack.size()) != kBack) return std::nullopt;
  return node;
}

std::uint64_t end_of(const Zone& zone) {
  return zone.first_pfn + std::min(zone.spanned, kLastFrame - zone.first_pfn);
}

/// "node 0", "nodes 0, 1".
template <class Set>
std::string listed(std::string_view what, const Set& set) {
  return set.empty()
             ? ""
             : fmt::format("{}{} {}", what, set.size() == 1 ? "" : "s", fmt::join(set, ", "));
}

}  // namespace

std::vector<Counter> without_totals(std::span<const Counter> counters) {
  constexpr std::array<std::string_view, 5> kTotals{"ram.", "slab", "vmalloc.", "process.", "mem."};
  std::vector<Counter> others;
  for (const Counter& counter : counters)
    if (std::none_of(kTotals.begin(), kTotals.end(),
                     [&](std::string_view front) { return counter.name.starts_with(front); }))
      others.push_back(counter);
  return others;
}

void RamGroups::on_header() {
  zones_.clear();
  tiers_.clear();
  spans_.clear();
  next_ = 0;
}

void RamGroups::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters)
    if (const auto node = node_of_tier(counter.name)) tiers_[*node] = counter.value;
}

void RamGroups::on_zone(const Zone& zone) {
  zones_.push_back(zone);
}

std::string_view RamGroups::title() const {
  constexpr std::array<std::string_view, 4> kTitles{"", "Node", "Zone", "Tier"};
  return kTitles[static_cast<std::size_t>(selection_.by)];
}

std::string_view RamGroups::word() const {
  constexpr std::array<std::string_view, 4> kWords{"", "node", "zone", "tier"};
  return kWords[static_cast<std::size_t>(selection_.by)];
}

std::string RamGroups::problem() const {
  if (!is_filtered()) return "";
  if (zones_.empty()) return "no frame is selected: the snapshot has no zones";
  if (std::any_of(zones_.begin(), zones_.end(), [this](const Zone& zone) { return has(zone); }))
    return "";
  std::set<std::uint64_t> nodes, tiers;
  std::set<std::string> zones;
  for (const Zone& zone : zones_) {
    nodes.insert(zone.node);
    zones.insert(zone.name);
    if (const auto tier = tiers_.find(zone.node); tier != tiers_.end()) tiers.insert(tier->second);
  }
  return fmt::format("no frame is of {}: the snapshot has {}; {}; {}", selected(),
                     listed("node", nodes), listed("zone", zones),
                     tiers.empty() ? "no memory tiers" : listed("tier", tiers));
}

std::string RamGroups::selected() const {
  std::string text = selection_.is_outside ? "outside of all zones" : "";
  std::set<std::string> payers;
  for (const NamePattern& pattern : selection_.payers) payers.insert(pattern.text());
  for (const std::string& part :
       {listed("node", selection_.nodes), listed("zone", selection_.zones),
        listed("tier", selection_.tiers), listed("cgroup", payers)})
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  return text;
}

bool RamGroups::has(const Zone& zone) const {
  const auto fits = [](const auto& set, const auto& value) {
    return set.empty() || set.contains(value);
  };
  const auto tier = tiers_.find(zone.node);
  return !selection_.is_outside && fits(selection_.nodes, zone.node) &&
         fits(selection_.zones, zone.name) &&
         (selection_.tiers.empty() ||
          (tier != tiers_.end() && selection_.tiers.contains(tier->second)));
}

std::string RamGroups::tier_of(std::uint64_t node) const {
  const auto tier = tiers_.find(node);
  return tier == tiers_.end() ? "unknown" : fmt::format("{}", tier->second);
}

std::size_t RamGroups::group_named(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  if (names_.size() + 1 >= max_groups_ && name != "others") return group_named("others");
  names_.push_back(name);
  return names_.size() - 1;
}

std::size_t RamGroups::group_of(const Zone& zone) {
  switch (selection_.by) {
    case By::kNode:
      return group_named(fmt::format("{}", zone.node));
    case By::kZone:
      return group_named(fmt::format("{} {}", zone.node, zone.name));
    case By::kTier:
      return group_named(tier_of(zone.node));
    case By::kNothing:
      break;
  }
  return 0;
}

/// Spans of all frames, from the ends of zones. The zone on top of `inner` begins last.
void RamGroups::prepare() {
  if (!spans_.empty()) return;
  for (const Zone& zone : zones_) group_of(zone);
  std::sort(zones_.begin(), zones_.end(),
            [](const Zone& a, const Zone& b) { return a.first_pfn < b.first_pfn; });
  std::vector<std::uint64_t> ends{0, kLastFrame};
  for (const Zone& zone : zones_) ends.insert(ends.end(), {zone.first_pfn, end_of(zone)});
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<const Zone*> inner;
  std::size_t begun = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    while (begun < zones_.size() && zones_[begun].first_pfn <= ends[i])
      inner.push_back(&zones_[begun++]);
    while (!inner.empty() && end_of(*inner.back()) <= ends[i]) inner.pop_back();
    if (inner.empty())
      add_span({ends[i], ends[i + 1], is_split() ? kOutside : 0,
                !is_filtered() || selection_.is_outside});
    else
      add_span({ends[i], ends[i + 1], group_of(*inner.back()), has(*inner.back())});
  }
}

void RamGroups::add_span(const Span& span) {
  const bool goes_on = !spans_.empty() && spans_.back().group == span.group &&
                       spans_.back().is_selected == span.is_selected;
  if (goes_on)
    spans_.back().end = span.end;
  else
    spans_.push_back(span);
}

/// Memory outside of all zones has a group once there is some; holes have none.
const RamGroups::Span& RamGroups::span_at(std::uint64_t pfn, bool is_ram) {
  if (next_ >= spans_.size() || pfn < spans_[next_].begin) next_ = 0;
  while (spans_[next_].end <= pfn && next_ + 1 < spans_.size()) ++next_;
  if (spans_[next_].group == kOutside && is_ram) spans_[next_].group = group_named("none");
  return spans_[next_];
}

RamRun RamGroups::part_of(const RamRun& run, std::uint64_t begin, std::uint64_t end) {
  RamRun part = run;
  part.first_pfn = begin;
  part.pages = end - begin;
  if (run.use != PM_RAM_FREE && run.owner != 0) part.place += begin - run.first_pfn;
  return part;
}

}  // namespace physmem
