// SPDX-License-Identifier: MIT
#include "analyzer/model/page_sums.h"

#include <array>
#include <cstddef>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

/// Table of the shares of pages mapped up to 63 times. The loop over runs divides only for other
/// pages.
constexpr std::size_t kShares = 64;
constexpr auto kShareOf = [] {
  std::array<std::uint64_t, kShares> shares{};
  for (std::size_t mappings = 0; mappings < kShares; ++mappings)
    shares[mappings] = PageShare::of(mappings).scaled;
  return shares;
}();

std::uint64_t share_of(std::uint64_t mappings) {
  return mappings < kShares ? kShareOf[mappings] : PageShare::of(mappings).scaled;
}

}  // namespace

PageKinds kinds_of(const Header& header) {
  PageKinds kinds{header.page_size.bytes};
  if (header.stable_flags) kinds.special = PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE | PM_PAGE_HUGE;
  if (header.stable_flags) kinds.anon = PM_PAGE_ANON;
  return kinds;
}

void PageSums::add(const PageRun& run, const PageKinds& kinds) {
  const std::uint64_t once = run.count == 1 ? run.pages : 0;
  const std::uint64_t often = run.count > 1 ? run.pages : 0;
  pages += run.pages;
  single += once;
  shared += often;
  if ((run.flags & kinds.special) != 0) {
    special += run.pages;
    return;
  }
  PageTally& tally = (run.flags & kinds.anon) != 0 ? anon : file;
  tally.pages += run.pages;
  tally.single += once;
  tally.shared += often;
  tally.share.scaled += share_of(run.count) * run.pages;
}

bool are_ordered(const PageRun* before, std::span<const PageRun> runs, std::uint64_t page_bytes) {
  constexpr std::uint64_t kNothing =
      ~std::uint64_t{0};  // the page before address 0, where no page can begin
  std::uint64_t last =
      before != nullptr ? before->end_va(page_bytes) - page_bytes : runs.front().va - 1;
  bool is_wrong = false;
  for (const PageRun& run : runs) {
    const std::uint64_t run_last = run.end_va(page_bytes) - page_bytes;
    is_wrong |= (run.va & (page_bytes - 1)) != 0 || (run.va <= last && last != kNothing) ||
                run_last < run.va;
    last = run_last;
  }
  return !is_wrong;
}

PageSums sum_up(std::span<const PageRun> runs, const PageKinds& kinds) {
  PageSums sums;
  if (runs.empty()) return sums;
  for (const PageRun& run : runs) sums.add(run, kinds);
  sums.is_ordered = are_ordered(nullptr, runs, kinds.page_bytes);
  return sums;
}

}  // namespace physmem
