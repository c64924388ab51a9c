// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/zone_counters.h"

#include <charconv>
#include <string_view>
#include <utility>

namespace physmem {
namespace {

constexpr std::string_view kFront = "zone.";
constexpr std::string_view kFirst = ".first";
constexpr std::string_view kSpanned = ".spanned";

}  // namespace

void ZoneCounters::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) add(counter);
}

/// "zone.0.DMA32.first" or ".spanned".
void ZoneCounters::add(const Counter& counter) {
  std::string_view name = counter.name;
  const bool is_first = name.ends_with(kFirst);
  if (!name.starts_with(kFront) || (!is_first && !name.ends_with(kSpanned))) return;
  name.remove_prefix(kFront.size());
  name.remove_suffix(is_first ? kFirst.size() : kSpanned.size());
  Zone zone;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), zone.node);
  if (error != std::errc() || end == name.data() + name.size() || *end != '.') return;
  zone.name = std::string(end + 1, name.data() + name.size());
  const auto [known, is_new] = numbers_.try_emplace({zone.node, zone.name}, zones_.size());
  if (is_new && zones_.size() == kMaxZones) return;
  if (is_new) zones_.push_back(std::move(zone));
  if (known->second >= zones_.size()) return;
  Zone& listed = zones_[known->second];
  (is_first ? listed.first_pfn : listed.spanned) = counter.value;
}

}  // namespace physmem
