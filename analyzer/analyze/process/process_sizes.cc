// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/process_sizes.h"

#include <string_view>

#include "analyzer/analyze/numbered_counter.h"

namespace physmem {
namespace {

std::optional<std::uint64_t>* member_of(ProcessSizes& sizes, std::string_view name) {
  if (name == "uss_kB") return &sizes.uss;
  if (name == "pss_kB") return &sizes.pss;
  if (name == "rss_kB") return &sizes.rss;
  return name == "swap_kB" ? &sizes.swap : nullptr;
}

}  // namespace

void ProcessSizeCounters::add(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    const auto part = process_counter(counter.name);
    ProcessSizes other;
    if (part && member_of(other, part->name) != nullptr)
      *member_of(sizes_[part->number], part->name) = counter.value;
  }
}

ProcessSizes ProcessSizeCounters::of(std::uint64_t pid) const {
  const auto found = sizes_.find(pid);
  return found == sizes_.end() ? ProcessSizes() : found->second;
}

}  // namespace physmem
