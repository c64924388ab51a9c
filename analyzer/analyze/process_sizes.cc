// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process_sizes.h"

#include <charconv>
#include <string_view>

namespace physmem {
namespace {

std::optional<std::uint64_t>* member_of(ProcessSizes& sizes, std::string_view name) {
  if (name == ".uss_kB") return &sizes.uss;
  if (name == ".pss_kB") return &sizes.pss;
  if (name == ".rss_kB") return &sizes.rss;
  return name == ".swap_kB" ? &sizes.swap : nullptr;
}

}  // namespace

void ProcessSizeCounters::add(std::span<const Counter> counters) {
  constexpr std::string_view kPrefix = "process.";
  for (const Counter& counter : counters) {
    std::string_view name = counter.name;
    if (!name.starts_with(kPrefix)) continue;
    name.remove_prefix(kPrefix.size());
    std::uint64_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc()) continue;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    ProcessSizes other;
    if (member_of(other, name) != nullptr) *member_of(sizes_[pid], name) = counter.value;
  }
}

ProcessSizes ProcessSizeCounters::of(std::uint64_t pid) const {
  const auto found = sizes_.find(pid);
  return found == sizes_.end() ? ProcessSizes() : found->second;
}

}  // namespace physmem
