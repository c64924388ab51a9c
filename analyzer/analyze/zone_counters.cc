// SPDX-License-Identifier: MIT
#include "analyzer/analyze/zone_counters.h"

#include <algorithm>
#include <charconv>
#include <string>
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
  auto known = std::find_if(zones_.begin(), zones_.end(), [&](const Zone& other) {
    return other.node == zone.node && other.name == zone.name;
  });
  if (known == zones_.end()) known = zones_.insert(zones_.end(), std::move(zone));
  (is_first ? known->first_pfn : known->spanned) = counter.value;
}

}  // namespace physmem
