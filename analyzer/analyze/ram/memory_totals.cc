// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/memory_totals.h"

#include <algorithm>
#include <string_view>

namespace physmem {

void MemoryTotals::on_header(const Header& header) {
  header_ = header;
  values_ = {};
}

void MemoryTotals::on_counters(std::span<const Counter> counters) {
  constexpr std::array<std::string_view, kCounted> kNames{
      "mem.MemTotal_kB",    "mem.MemFree_kB",    "mem.MemAvailable_kB",  "mem.AnonPages_kB",
      "mem.Cached_kB",      "mem.Buffers_kB",    "mem.Shmem_kB",         "mem.Slab_kB",
      "mem.KernelStack_kB", "mem.PageTables_kB", "mem.SecPageTables_kB", "mem.Percpu_kB",
      "mem.SwapTotal_kB",   "mem.SwapFree_kB",   "mem.Hugetlb_kB",       "mem.Zswapped_kB",
      "vm.nr_zspages",      "swap.zram_used_kB"};
  for (const Counter& counter : counters) {
    const auto name = std::find(kNames.begin(), kNames.end(), counter.name);
    if (name != kNames.end())
      values_[static_cast<std::size_t>(name - kNames.begin())] = counter.value;
  }
}

std::uint64_t MemoryTotals::swap_used() const {
  return swap() - std::min(swap(), or_zero(kSwapFree));
}

/// Cached contains shared memory. VmallocUsed is left out: it contains stacks and per-cpu memory.
std::optional<std::array<std::uint64_t, kMemoryParts>> MemoryTotals::parts() const {
  if (!total() || !value(kFree)) return std::nullopt;
  const std::uint64_t shared = or_zero(kShmem);
  const std::uint64_t cached = or_zero(kCached) + or_zero(kBuffers);
  const std::array<std::uint64_t, kMemoryParts> known{or_zero(kAnon),
                                                      shared,
                                                      cached - std::min(cached, shared),
                                                      or_zero(kSlab) + or_zero(kStacks) +
                                                          or_zero(kPageTables) + or_zero(kPercpu) +
                                                          or_zero(kSecPageTables),
                                                      0,
                                                      or_zero(kFree)};
  std::array<std::uint64_t, kMemoryParts> parts{};
  std::uint64_t rest = or_zero(kTotal);
  for (std::size_t i = kMemoryParts; i-- > 0;) {  // overlaps are taken from the first parts
    parts[i] = std::min(known[i], rest);
    rest -= parts[i];
  }
  parts[static_cast<std::size_t>(MemoryPart::kOther)] = rest;
  return parts;
}

}  // namespace physmem
