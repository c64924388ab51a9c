// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram_witness.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

namespace physmem {
namespace {

using Kind = RamVerdict::Kind;

std::uint64_t of(const Ledger& ledger, std::initializer_list<FrameClass> classes) {
  std::uint64_t sum = 0;
  for (const FrameClass use : classes) sum += ledger.of(use);
  return sum;
}

template <FrameClass kUse>
std::uint64_t frames_of(const Ledger& ledger) {
  return ledger.of(kUse);
}

std::uint64_t managed(const Ledger& ledger) {
  return ledger.frames() - of(ledger, {PM_RAM_RESERVED, PM_RAM_KERNEL_CODE, PM_RAM_KERNEL_DATA,
                                       PM_RAM_CRASH_KERNEL, PM_RAM_MEMMAP});
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

using Obstacle = std::string_view (*)(const Ledger&);

std::string_view none(const Ledger& /*ledger*/) {
  return "";
}

bool lacks_mark(const Ledger& ledger, FrameClass use) {
  return ledger.of(use) == 0 && ledger.of(PM_RAM_UNMARKED) != 0;
}

/// Where struct pages are initialised late, boot-time memory has no mark.
std::string_view of_boot_memory(const Ledger& ledger) {
  const auto total = ledger.total("total");
  const bool has_more = total && managed(ledger) > total->high() + 1;
  return has_more && ledger.of(PM_RAM_UNMARKED) != 0 ? "boot-time memory has no mark on this kernel"
                                                     : "";
}

std::string_view of_large_kmalloc(const Ledger& ledger) {
  return lacks_mark(ledger, PM_RAM_LARGE_KMALLOC) ? "large kmalloc has no mark" : "";
}

std::string_view of_zsmalloc(const Ledger& ledger) {
  return lacks_mark(ledger, PM_RAM_ZSMALLOC) ? "zsmalloc has no mark" : "";
}

std::string_view of_lists(const Ledger& ledger) {
  return lacks_mark(ledger, PM_RAM_FREE_PERCPU) ? "lists of processors have no mark" : "";
}

/// Where they are slabs they have that mark (pages of 64 KiB).
std::string_view of_stacks(const Ledger& ledger) {
  return ledger.of(PM_RAM_KERNEL_STACK) == 0 ? "kernel stacks have no mark" : "";
}

std::string_view of_vmalloc(const Ledger& ledger) {
  return lacks_mark(ledger, PM_RAM_VMALLOC) ? "vmalloc has no mark" : "";
}

/// What is compared with what.
struct Claim {
  std::string_view claim;
  std::string_view witness;
  std::uint64_t (*ours)(const Ledger&);
  std::vector<std::string_view> totals;  ///< summed; the first must exist. None: /proc/slabinfo
  std::uint64_t tolerance = 0;
  std::string_view rule = "";
  Obstacle obstacle = none;         ///< why it cannot be compared; empty: it can
  std::uint64_t per_processor = 0;  ///< more tolerance
};

/// Of two processors and less than 1 GiB; see tolerance_of_batches().
constexpr std::uint64_t kBatch = 32;
constexpr std::string_view kBatches = "processors add their counts in batches";
constexpr std::string_view kReader = "the collector itself takes and frees pages";
constexpr std::string_view kProcesses = "processes ran between M: and R: lines";
constexpr std::string_view kSlabs = "two slabs may come or go between the readings";
constexpr std::string_view kStacks = "two stacks per processor are kept for new tasks";
constexpr std::string_view kBlock = "the collector may split or join a block";
constexpr std::string_view kMissing = "the R: lines are missing";
constexpr std::string_view kBlocks = "blocks were split and joined while frames were read";
constexpr std::string_view kTables =
    "upper tables and the kernel's own have no mark on older kernels";
constexpr std::string_view kLate = "one frame is reserved late";
constexpr std::string_view kPageCache = "Cached + Buffers + SwapCached";
constexpr std::string_view kPageTables = "PageTables + SecPageTables";

const std::vector<Claim>& claims() {
  static const std::vector<std::string_view> kCache{"cached", "buffers", "swap_cached"};
  static const std::vector<Claim> kClaims{
      {"managed frames", "MemTotal", managed, {"total"}, 1, kLate, of_boot_memory},
      {"free", "free pages of the zones", frames_of<PM_RAM_FREE>, {"free_in_zones"}, 8, kReader},
      {"free, on lists of processors",
       "counts of zoneinfo",
       frames_of<PM_RAM_FREE_PERCPU>,
       {"free_percpu"},
       64,
       kReader,
       of_lists},
      {"page cache", kPageCache, page_cache, kCache, kBatch, kBatches},
      {"page cache", "NR_FILE_PAGES", page_cache, {"file_pages"}, kBatch, kBatches},
      {"shared memory", "Shmem", shared_memory, {"shmem"}, kBatch, kBatches},
      {"anonymous, mapped", "AnonPages", mapped_anon, {"anon"}, kBatch, kBatches},
      {"slab", "Slab", slab, {"slab"}, 0, "", of_large_kmalloc},
      {"slab caches", "/proc/slabinfo", frames_of<PM_RAM_SLAB>, {}, 16, kSlabs},
      {"page tables", kPageTables, typed_tables, {"page_tables"}, 18, kTables},
      {"kernel stacks",
       "KernelStack",
       frames_of<PM_RAM_KERNEL_STACK>,
       {"kernel_stack"},
       16,
       kStacks,
       of_stacks,
       8},
      {"vmalloc, with stacks and modules",
       "VmallocUsed",
       vmalloc,
       {"vmalloc"},
       16,
       kStacks,
       of_vmalloc,
       8},
      {"hugetlb", "Hugetlb", frames_of<PM_RAM_HUGETLB>, {"hugetlb"}},
      {"zsmalloc", "nr_zspages", frames_of<PM_RAM_ZSMALLOC>, {"zsmalloc"}, 0, "", of_zsmalloc},
      {"poisoned", "HardwareCorrupted", frames_of<PM_RAM_POISON>, {"poison"}}};
  return kClaims;
}

std::optional<RamTotal> sum_of(const Ledger& ledger, const std::vector<std::string_view>& names) {
  RamTotal sum;
  for (const std::string_view name : names) {
    const auto total = ledger.total(name);
    if (!total && name == names.front()) return std::nullopt;
    sum.before += total.value_or(RamTotal{}).before;
    sum.after += total.value_or(RamTotal{}).after;
    if (total && total->sampled) sum.sampled = sum.sampled.value_or(0) + *total->sampled;
  }
  return sum;
}

/// mm/vmstat.c: calculate_normal_threshold(). What each processor keeps of a node's counts.
std::uint64_t batch_of_processor(std::uint64_t processors, std::uint64_t zone_bytes) {
  constexpr unsigned kUnitBits = 27;
  constexpr std::uint64_t kLargest = 125;
  const auto bits = [](std::uint64_t n) { return static_cast<std::uint64_t>(std::bit_width(n)); };
  return std::min(kLargest, 2 * bits(processors) * (1 + bits(zone_bytes >> kUnitBits)));
}

std::uint64_t tolerance_of_batches(const Ledger& ledger) {
  std::map<std::uint64_t, std::uint64_t> by_node;
  for (const Zone& zone : ledger.zones()) {
    std::uint64_t& largest = by_node[zone.node];
    const std::uint64_t bytes = zone.managed << ledger.header().page_size.shift();
    largest = std::max(largest, batch_of_processor(ledger.processors(), bytes));
  }
  std::uint64_t sum = 0;
  for (const auto& [node, batch] : by_node) sum += batch * ledger.processors();
  return std::max(kBatch, sum);
}

RamVerdict judge(const Ledger& ledger, const Claim& claim, const RamTotal& theirs) {
  const std::uint64_t tolerance = claim.rule == kBatches
                                      ? tolerance_of_batches(ledger)
                                      : claim.tolerance + claim.per_processor * ledger.processors();
  RamVerdict verdict{claim.claim, claim.witness, Kind::kUnknowable, claim.ours(ledger),
                     theirs,      tolerance,     claim.rule,        claim.obstacle(ledger)};
  if (!ledger.has_runs()) verdict.reason = kMissing;
  if (verdict.reason.empty())
    verdict.kind = judged(verdict.ours, theirs, tolerance, ledger.churn());
  if (verdict.kind == Kind::kMoved) verdict.churn = ledger.churn();
  return verdict;
}

/// /proc/slabinfo is read after the frames. The change of Slab is the change of the caches.
std::optional<RamTotal> slabinfo(const Ledger& ledger) {
  const std::uint64_t pages = ledger.sum_of("slab");
  const auto slab = ledger.total("slab");
  if (pages == 0 || !slab) return std::nullopt;
  const std::uint64_t moved = slab->high() - slab->low();
  return RamTotal{slab->before < slab->after ? pages - std::min(pages, moved) : pages + moved,
                  pages};
}

RamVerdict frames_verdict(const Ledger& ledger) {
  const std::uint64_t spanned = ledger.spanned();
  const std::uint64_t covered = ledger.covered();
  RamVerdict verdict{"frames with one class", "spanned frames of the zones"};
  verdict.kind = covered == spanned ? Kind::kAgrees : Kind::kDiffers;
  verdict.ours = covered;
  verdict.theirs = {spanned, spanned};
  return verdict;
}

/// The collector, which takes and frees pages, may split or join one block.
std::uint64_t tolerance_of_order(std::size_t order) {
  return std::max<std::uint64_t>(8, std::uint64_t{1} << order);
}

std::vector<WitnessMember> free_orders(const Ledger& ledger) {
  std::vector<WitnessMember> members;
  const PageSize size = ledger.header().page_size;
  bool has_moved = false;
  for (std::size_t order = 0; order < Ledger::kUnknownOrder; ++order) {
    const auto theirs = ledger.total("free_order." + std::to_string(order));
    if (!theirs) break;
    const std::uint64_t ours = ledger.free_of(order);
    has_moved = has_moved || theirs->has_moved();
    members.push_back({"order " + std::to_string(order),
                       judged(ours, *theirs, tolerance_of_order(order)),
                       size.kib(ours),
                       {size.kib(theirs->before), size.kib(theirs->after)},
                       false});
  }
  for (WitnessMember& member : members)
    if (member.kind == Kind::kDiffers && has_moved) member.kind = Kind::kUnknowable;
  return members;
}

RamVerdict free_orders_verdict(const Ledger& ledger, std::vector<WitnessMember> members) {
  RamVerdict verdict{"free blocks by order", "/proc/buddyinfo"};
  verdict.tolerance = tolerance_of_order(0);
  verdict.rule = kBlock;
  verdict.reason = kBlocks;
  if (!ledger.has_runs())
    verdict.reason = kMissing;
  else if (ledger.free_of(Ledger::kUnknownOrder) != 0)
    verdict.reason = "the collector does not know the order";
  else
    add_members(verdict, ledger.header().page_size.kib(1), std::move(members));
  return verdict;
}

}  // namespace

std::vector<RamVerdict> ram_verdicts(const Ledger& ledger) {
  std::vector<RamVerdict> verdicts;
  if (!ledger.is_known()) return verdicts;
  if (!ledger.zones().empty()) verdicts.push_back(frames_verdict(ledger));
  for (const Claim& claim : claims()) {
    const auto theirs = claim.totals.empty() ? slabinfo(ledger) : sum_of(ledger, claim.totals);
    if (theirs) verdicts.push_back(judge(ledger, claim, *theirs));
  }
  if (auto orders = free_orders(ledger); !orders.empty())
    verdicts.push_back(free_orders_verdict(ledger, std::move(orders)));
  return verdicts;
}

RamVerdict mapping_verdict(const MappingJoin& join) {
  RamVerdict verdict{"mappings in page tables", "counts of frames"};
  verdict.ours = join.mappings();
  verdict.theirs = {join.counted(), join.counted()};
  verdict.reason = join.has_runs() ? join.obstacle() : kMissing;
  if (!verdict.reason.empty()) return verdict;
  verdict.frames_off = join.different_frames();
  if (verdict.frames_off == 0)
    verdict.kind = Kind::kAgrees;
  else
    verdict.kind = join.is_of_one_moment() ? Kind::kDiffers : Kind::kMoved;
  if (verdict.kind == Kind::kMoved) verdict.rule = kProcesses;
  return verdict;
}

}  // namespace physmem
