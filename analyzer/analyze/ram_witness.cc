// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram_witness.h"

#include <algorithm>
#include <optional>

namespace physmem {
namespace {

using Kind = RamVerdict::Kind;

/// Sum of the classes, and of totals: what one comparison compares.
struct Claim {
  std::string_view claim;
  std::string_view witness;
  std::uint64_t (*ours)(const Ledger&);
  std::vector<std::string_view> totals;  ///< summed; the first must exist
  std::uint64_t tolerance = 0;
  std::string_view rule = "";
  /// Why it cannot be compared; empty: it can.
  std::string_view (*obstacle)(const Ledger&) = [](const Ledger&) { return std::string_view(); };
};

std::uint64_t of(const Ledger& ledger, std::initializer_list<FrameClass> classes) {
  std::uint64_t sum = 0;
  for (const FrameClass use : classes) sum += ledger.of(use);
  return sum;
}

bool is_by_proc(const Ledger& ledger) {
  return ledger.header().ram_by == "proc";
}

std::uint64_t managed(const Ledger& ledger) {
  return ledger.frames() - of(ledger, {PM_RAM_RESERVED, PM_RAM_KERNEL_CODE, PM_RAM_KERNEL_DATA,
                                       PM_RAM_CRASH_KERNEL, PM_RAM_MEMMAP});
}

/// Where struct pages are initialised late, boot-time memory has no mark.
std::string_view unmarked_boot_memory(const Ledger& ledger) {
  const auto total = ledger.total("total");
  const bool has_more = total && managed(ledger) > total->high() + 1;
  return is_by_proc(ledger) && has_more && ledger.of(PM_RAM_UNMARKED) != 0
             ? "boot-time memory has no mark in /proc/kpageflags on this kernel"
             : "";
}

/// Pages of shared memory that are in the swap cache are not in Shmem.
std::uint64_t page_cache(const Ledger& ledger) {
  std::uint64_t pages = of(ledger, {PM_RAM_FILE, PM_RAM_BLOCK, PM_RAM_SHMEM});
  pages += ledger.swap_cached(PM_RAM_ANON);
  return pages;
}

constexpr std::uint64_t kBatch = 32;
constexpr std::string_view kBatches = "processors add their counts in batches";

const std::vector<Claim>& claims() {
  static const std::vector<Claim> kClaims{
      {"managed frames",
       "MemTotal",
       managed,
       {"total"},
       1,
       "one frame is reserved late",
       unmarked_boot_memory},
      {"free",
       "free pages of the zones",
       [](const Ledger& l) { return l.of(PM_RAM_FREE); },
       {"free_in_zones"},
       8,
       "the collector itself takes and frees pages"},
      {"page cache",
       "Cached + Buffers + SwapCached",
       page_cache,
       {"cached", "buffers", "swap_cached"},
       kBatch,
       kBatches},
      {"shared memory",
       "Shmem",
       [](const Ledger& l) { return l.of(PM_RAM_SHMEM) - l.swap_cached(PM_RAM_SHMEM); },
       {"shmem"},
       kBatch,
       kBatches},
      {"anonymous, mapped",
       "AnonPages",
       [](const Ledger& l) { return l.mapped_anon(); },
       {"anon"},
       kBatch,
       kBatches},
      {"slab",
       "Slab",
       [](const Ledger& l) {
         return of(l, {PM_RAM_SLAB, PM_RAM_LARGE_KMALLOC});
       },
       {"slab"},
       0,
       "",
       [](const Ledger& l) {
         return is_by_proc(l) ? std::string_view("large kmalloc has no mark in /proc/kpageflags")
                              : std::string_view();
       }},
      {"slab caches",
       "/proc/slabinfo",
       [](const Ledger& l) { return l.of(PM_RAM_SLAB); },
       {},
       16,
       "two slabs may come or go between the readings"},
      {"page tables",
       "PageTables + SecPageTables",
       [](const Ledger& l) { return l.of(PM_RAM_PGTABLE); },
       {"page_tables"},
       18,
       "upper tables and the kernel's own have no mark on older kernels"},
      {"hugetlb", "Hugetlb", [](const Ledger& l) { return l.of(PM_RAM_HUGETLB); }, {"hugetlb"}},
      {"zsmalloc",
       "nr_zspages",
       [](const Ledger& l) { return l.of(PM_RAM_ZSMALLOC); },
       {"zsmalloc"},
       0,
       "",
       [](const Ledger& l) {
         return is_by_proc(l) && l.of(PM_RAM_ZSMALLOC) == 0
                    ? std::string_view("zsmalloc has no mark in /proc/kpageflags on this kernel")
                    : std::string_view();
       }},
      {"poisoned",
       "HardwareCorrupted",
       [](const Ledger& l) { return l.of(PM_RAM_POISON); },
       {"poison"}}};
  return kClaims;
}

std::optional<RamTotal> sum_of(const Ledger& ledger, const std::vector<std::string_view>& names) {
  RamTotal sum;
  for (const std::string_view name : names) {
    const auto total = ledger.total(name);
    if (!total && name == names.front()) return std::nullopt;
    sum.before += total.value_or(RamTotal{}).before;
    sum.after += total.value_or(RamTotal{}).after;
  }
  return sum;
}

Kind judged(std::uint64_t ours, const RamTotal& theirs, std::uint64_t tolerance) {
  const std::uint64_t low = theirs.low() > tolerance ? theirs.low() - tolerance : 0;
  if (ours < low || ours > theirs.high() + tolerance) return Kind::kDiffers;
  return theirs.before == theirs.after ? Kind::kAgrees : Kind::kMoved;
}

RamVerdict judge(const Ledger& ledger, const Claim& claim, const RamTotal& theirs) {
  RamVerdict verdict{claim.claim, claim.witness,   Kind::kUnknowable, claim.ours(ledger),
                     theirs,      claim.tolerance, claim.rule};
  if (const std::string_view why = claim.obstacle(ledger); !why.empty())
    verdict.rule = why;
  else
    verdict.kind = judged(verdict.ours, theirs, claim.tolerance);
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
  return {"frames with one class",
          "spanned frames of the zones",
          covered == spanned ? Kind::kAgrees : Kind::kDiffers,
          covered,
          {spanned, spanned},
          0,
          ""};
}

}  // namespace

std::int64_t RamVerdict::difference() const {
  if (ours > theirs.high()) return static_cast<std::int64_t>(ours - theirs.high());
  if (ours < theirs.low()) return -static_cast<std::int64_t>(theirs.low() - ours);
  return 0;
}

std::vector<RamVerdict> ram_verdicts(const Ledger& ledger) {
  std::vector<RamVerdict> verdicts;
  if (!ledger.is_known()) return verdicts;
  if (!ledger.zones().empty()) verdicts.push_back(frames_verdict(ledger));
  for (const Claim& claim : claims()) {
    const auto theirs = claim.totals.empty() ? slabinfo(ledger) : sum_of(ledger, claim.totals);
    if (theirs) verdicts.push_back(judge(ledger, claim, *theirs));
  }
  return verdicts;
}

std::size_t count(const std::vector<RamVerdict>& verdicts, RamVerdict::Kind kind) {
  return static_cast<std::size_t>(std::count_if(
      verdicts.begin(), verdicts.end(), [kind](const RamVerdict& v) { return v.kind == kind; }));
}

}  // namespace physmem
