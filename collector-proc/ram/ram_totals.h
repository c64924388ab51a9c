// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "collector-proc/ram/zones.h"

namespace physmem::collect {

/// The kernel's own totals of memory, in pages, by the names of formats/physmem-records.md without
/// their prefix ("free", "slab"). A total that this kernel does not have is left out.
std::vector<Counter> ram_totals(std::string_view meminfo, std::string_view vmstat,
                                const std::vector<MemoryZone>& zones, std::uint64_t page_size);

/// Pages in free blocks by their order, as free_order.N: the sums over all zones.
std::vector<Counter> free_orders(std::string_view buddyinfo);

/// Reads all of these again and again, always in the same memory: pages that it would take and give
/// back are counted by the kernel, too.
class TotalsReader {
 public:
  /// The tree must outlive it.
  TotalsReader(const ProcTree& tree, std::uint64_t page_size)
      : tree_(tree), page_size_(page_size) {}
  std::vector<Counter> read();

 private:
  const ProcTree& tree_;
  std::uint64_t page_size_;
  ReadBuffer zoneinfo_, meminfo_, vmstat_, buddyinfo_;
};

/// CPUs that are online, from /proc/stat. Each has its own part of most totals, which it adds
/// up in batches.
std::uint64_t read_cpus(const ProcTree& tree);

}  // namespace physmem::collect
