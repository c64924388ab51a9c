// SPDX-License-Identifier: MIT
#include "analyzer/analyze/verify/ram_claims.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <map>

namespace physmem {
namespace {

using Count = RamClaim::Count;

std::uint64_t of(const Ledger& ledger, std::initializer_list<FrameClass> classes) {
  std::uint64_t sum = 0;
  for (const FrameClass use : classes) sum += ledger.of(use);
  return sum;
}

template <FrameClass kUse>
std::uint64_t frames_of(const Ledger& ledger) {
  return ledger.of(kUse);
}

/// Memory that the allocator never had.
std::uint64_t reserved(const Ledger& ledger) {
  return of(ledger, {PM_RAM_RESERVED, PM_RAM_KERNEL_CODE, PM_RAM_KERNEL_DATA, PM_RAM_CRASH_KERNEL,
                     PM_RAM_MEMMAP});
}

std::uint64_t managed(const Ledger& ledger) {
  return ledger.frames() - reserved(ledger);
}

std::uint64_t page_cache(const Ledger& ledger) {
  return of(ledger, {PM_RAM_FILE, PM_RAM_BLOCK, PM_RAM_SHMEM}) + ledger.swap_cached(PM_RAM_ANON);
}

/// Pages of shared memory that are in the swap cache are not in Shmem.
std::uint64_t shared_memory(const Ledger& ledger) {
  return ledger.of(PM_RAM_SHMEM) - ledger.swap_cached(PM_RAM_SHMEM);
}

std::uint64_t mapped_anon(const Ledger& ledger) {
  return ledger.mapped_anon();
}

std::uint64_t typed_tables(const Ledger& ledger) {
  return ledger.typed_tables();
}

std::uint64_t slab(const Ledger& ledger) {
  return of(ledger, {PM_RAM_SLAB, PM_RAM_LARGE_KMALLOC});
}

std::uint64_t vmalloc(const Ledger& ledger) {
  return of(ledger, {PM_RAM_VMALLOC, PM_RAM_MODULE, PM_RAM_KERNEL_STACK});
}

bool lacks_mark(const Ledger& ledger, FrameClass use) {
  return ledger.of(use) == 0 && ledger.of(PM_RAM_UNMARKED) != 0;
}

/// One frame is reserved late by the kernel itself.
constexpr std::uint64_t kLateFrames = 1;

/// Whether the way reads which frames are mapped in the kernel's vmalloc area. The module does so
/// on x86-64 only.
bool reads_vmalloc(const Header& header) {
  return header.ram_by == "kcore" || header.ram_by == "crash" ||
         (header.ram_by == "kmod" && header.arch == "x86_64");
}

/// Frames that the allocator gave away and that are marked as reserved since: drivers mark buffers
/// that processes map (SetPageReserved), as physmem_faults.ko does. Ways that read vmalloc find
/// them there. Other ways cannot distinguish them from memory that was reserved at boot, so only
/// their number is known.
std::uint64_t reserved_by_drivers(const Ledger& ledger) {
  std::uint64_t at_boot = 0;
  for (const Zone& zone : ledger.zones())
    at_boot += zone.present - std::min(zone.present, zone.managed);
  const std::uint64_t now = reserved(ledger) + kLateFrames;
  return now > at_boot + kLateFrames ? now - at_boot : 0;
}

/// Where struct pages are initialised late, boot-time memory has no mark.
std::string_view of_managed(const Ledger& ledger) {
  const auto total = ledger.total("total");
  if (!total) return "";
  const std::uint64_t ours = managed(ledger);
  if (ours > total->high() + kLateFrames && ledger.of(PM_RAM_UNMARKED) != 0)
    return "boot-time memory has no mark on this kernel";
  const bool has_less = ours + kLateFrames < total->low();
  return has_less && !reads_vmalloc(ledger.header()) &&
                 total->low() - ours <= reserved_by_drivers(ledger)
             ? "drivers marked pages of theirs as reserved"
             : "";
}

std::string_view of_large_kmalloc(const Ledger& ledger) {
  return lacks_mark(ledger, PM_RAM_LARGE_KMALLOC) ? "large kmalloc has no mark" : "";
}

std::string_view of_zsmalloc(const Ledger& ledger) {
  return lacks_mark(ledger, PM_RAM_ZSMALLOC) ? "zsmalloc has no mark" : "";
}

std::string_view of_lists(const Ledger& ledger) {
  return lacks_mark(ledger, PM_RAM_FREE_PERCPU) ? "per-CPU lists have no mark" : "";
}

/// Where they are slabs they have that mark (pages of 64 KiB).
std::string_view of_stacks(const Ledger& ledger) {
  return ledger.of(PM_RAM_KERNEL_STACK) == 0 ? "kernel stacks have no mark" : "";
}

std::string_view of_vmalloc(const Ledger& ledger) {
  return reads_vmalloc(ledger.header()) ? "" : "vmalloc has no mark";
}

/// Free pages that went between the zones and per-CPU lists.
std::uint64_t between_lists(const Ledger& ledger) {
  return ledger.swing("free_percpu");
}

constexpr std::string_view kBatches = "CPUs add their counts in batches";
constexpr std::string_view kReader = "the collector itself takes and frees pages";
constexpr std::string_view kSlabs = "two slabs may come or go between the readings";
constexpr std::string_view kStacks = "two stacks per CPU are kept for new tasks";
constexpr std::string_view kTables =
    "upper tables and the kernel's own have no mark on older kernels";
constexpr std::string_view kLate = "one frame is reserved late";
constexpr std::string_view kPageCache = "Cached + Buffers + SwapCached";
constexpr std::string_view kPageTables = "PageTables + SecPageTables";

/// As with two CPUs and less than 1 GiB, for snapshots that do not state their CPUs.
constexpr std::uint64_t kMinBatches = 32;

/// mm/vmstat.c: calculate_normal_threshold(). What each CPU keeps of a count.
std::uint64_t batch_of_cpu(std::uint64_t cpus, std::uint64_t zone_bytes) {
  constexpr unsigned kUnitBits = 27;
  constexpr std::uint64_t kLargest = 125;
  const auto bits = [](std::uint64_t n) { return static_cast<std::uint64_t>(std::bit_width(n)); };
  return std::min(kLargest, 2 * bits(cpus) * (1 + bits(zone_bytes >> kUnitBits)));
}

/// A node's counts have the batch of its largest zone.
std::uint64_t batch_sum(const Ledger& ledger, Count count) {
  std::map<std::uint64_t, std::uint64_t> by_node;
  for (const Zone& zone : ledger.zones()) {
    std::uint64_t& of_node = by_node[zone.node];
    const std::uint64_t bytes = zone.managed << ledger.header().page_size.shift();
    const std::uint64_t batch = batch_of_cpu(ledger.cpus(), bytes);
    of_node = count == Count::kOfZones ? of_node + batch : std::max(of_node, batch);
  }
  std::uint64_t sum = 0;
  for (const auto& [node, batch] : by_node) sum += batch * ledger.cpus();
  return std::max(kMinBatches, sum);
}

std::vector<RamClaim> allocator_claims() {
  return {
      {.claim = "managed frames",
       .witness = "MemTotal",
       .ours = managed,
       .totals = {"total"},
       .tolerance = kLateFrames,
       .rule = kLate,
       .is_fixed = true,
       .obstacle = of_managed},
      {.claim = "free",
       .witness = "free pages of the zones",
       .ours = frames_of<PM_RAM_FREE>,
       .totals = {"free_in_zones"},
       .tolerance = 8,
       .rule = kReader,
       .flow = between_lists},
      {.claim = "free, on CPU lists",
       .witness = "counts of zoneinfo",
       .ours = frames_of<PM_RAM_FREE_PERCPU>,
       .totals = {"free_percpu"},
       .tolerance = 64,
       .rule = kReader,
       .obstacle = of_lists},
  };
}

/// Claims about files and processes.
std::vector<RamClaim> user_claims() {
  return {
      {.claim = "page cache",
       .witness = kPageCache,
       .ours = page_cache,
       .totals = {"cached", "buffers", "swap_cached"},
       .count = Count::kOfNodes},
      {.claim = "page cache",
       .witness = "NR_FILE_PAGES",
       .ours = page_cache,
       .totals = {"file_pages"},
       .count = Count::kOfNodes},
      {.claim = "shared memory",
       .witness = "Shmem",
       .ours = shared_memory,
       .totals = {"shmem"},
       .count = Count::kOfNodes},
      {.claim = "anonymous, mapped",
       .witness = "AnonPages",
       .ours = mapped_anon,
       .totals = {"anon"},
       .count = Count::kOfNodes},
  };
}

std::vector<RamClaim> kernel_claims() {
  return {
      {.claim = "slab",
       .witness = "Slab",
       .ours = slab,
       .totals = {"slab"},
       .count = Count::kOfNodes,
       .obstacle = of_large_kmalloc},
      {.claim = "slab caches",
       .witness = "/proc/slabinfo",
       .ours = frames_of<PM_RAM_SLAB>,
       .totals = {},
       .tolerance = 16,
       .rule = kSlabs},
      {.claim = "page tables",
       .witness = kPageTables,
       .ours = typed_tables,
       .totals = {"page_tables"},
       .tolerance = 18,
       .rule = kTables},
      {.claim = "kernel stacks",
       .witness = "KernelStack",
       .ours = frames_of<PM_RAM_KERNEL_STACK>,
       .totals = {"kernel_stack"},
       .tolerance = 16,
       .rule = kStacks,
       .per_cpu = 8,
       .obstacle = of_stacks},
      {.claim = "vmalloc, with stacks and modules",
       .witness = "VmallocUsed",
       .ours = vmalloc,
       .totals = {"vmalloc"},
       .tolerance = 16,
       .rule = kStacks,
       .per_cpu = 8,
       .obstacle = of_vmalloc},
  };
}

std::vector<RamClaim> other_claims() {
  return {
      {.claim = "hugetlb",
       .witness = "Hugetlb",
       .ours = frames_of<PM_RAM_HUGETLB>,
       .totals = {"hugetlb"},
       .is_fixed = true},
      {.claim = "zsmalloc",
       .witness = "nr_zspages",
       .ours = frames_of<PM_RAM_ZSMALLOC>,
       .totals = {"zsmalloc"},
       .count = Count::kOfZones,
       .obstacle = of_zsmalloc},
      {.claim = "poisoned",
       .witness = "HardwareCorrupted",
       .ours = frames_of<PM_RAM_POISON>,
       .totals = {"poison"},
       .is_fixed = true},
  };
}

}  // namespace

std::uint64_t RamClaim::own_tolerance(const Ledger& ledger) const {
  return tolerance + per_cpu * ledger.cpus();
}

/// After a refresh (vm.stat_refresh) both readings have the parts of all CPUs. In between, a
/// part that is not added up has no more pages than came and went.
std::uint64_t RamClaim::batches(const Ledger& ledger) const {
  if (count == Count::kExact) return 0;
  const std::uint64_t sum = batch_sum(ledger, count);
  const bool is_refreshed = ledger.counter("ram.refreshed").value_or(0) != 0;
  return is_refreshed ? std::min(sum, ledger.churn() + ledger.migrated()) : sum;
}

std::uint64_t RamClaim::tolerance_of(const Ledger& ledger) const {
  return own_tolerance(ledger) + batches(ledger);
}

std::string_view RamClaim::rule_of(const Ledger& ledger) const {
  return batches(ledger) > own_tolerance(ledger) ? kBatches : rule;
}

const std::vector<RamClaim>& ram_claims() {
  static const std::vector<RamClaim> kClaims = [] {
    std::vector<RamClaim> claims;
    for (std::vector<RamClaim> (*const part)() :
         {allocator_claims, user_claims, kernel_claims, other_claims})
      for (RamClaim& claim : part()) claims.push_back(std::move(claim));
    return claims;
  }();
  return kClaims;
}

}  // namespace physmem
