// SPDX-License-Identifier: MIT
#include "analyzer/model/page_sums.h"

#include <array>
#include <cstddef>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

/// Shares of pages mapped up to 63 times, so that the loop over runs divides only for the others.
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

PageSums sum_up(std::span<const PageRun> runs, const PageKinds& kinds) {
  PageSums sums;
  if (runs.empty()) return sums;
  const std::uint64_t page = kinds.page_bytes;
  std::uint64_t last = runs.front().va - 1;
  bool is_wrong = false;
  for (const PageRun& run : runs) {
    const std::uint64_t run_last = run.va_behind(page) - page;
    is_wrong |= (run.va & (page - 1)) != 0 || (run.va <= last && last + 1 != 0) || run_last < run.va;
    last = run_last;
    const std::uint64_t single = run.count == 1 ? run.pages : 0;
    sums.pages += run.pages;
    sums.single += single;
    sums.shared += run.count > 1 ? run.pages : 0;
    if ((run.flags & kinds.special) != 0) {
      sums.special += run.pages;
      continue;
    }
    PageTally& tally = (run.flags & kinds.anon) != 0 ? sums.anon : sums.file;
    tally.pages += run.pages;
    tally.single += single;
    tally.share.scaled += share_of(run.count) * run.pages;
  }
  sums.is_ordered = !is_wrong;
  return sums;
}

}  // namespace physmem
