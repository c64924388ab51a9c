// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/class_pages.h"

#include <algorithm>
#include <utility>

#include "analyzer/model/frame_classes.h"

namespace physmem {
namespace {

/// The explained parts of the unmarked pages, and the rest.
std::vector<ClassPages> unmarked_rows(const Ledger& ledger) {
  std::vector<ClassPages> rows;
  std::uint64_t left = ledger.of(PM_RAM_UNMARKED);
  for (const ExplainedPages& part : ledger.explained_unmarked()) {
    rows.push_back({"unmarked: " + std::string(part.word), part.pages});
    left -= part.pages;
  }
  // Without totals, as of a part of RAM, it is not known what the unmarked ones are.
  if (rows.empty() && left != 0) rows.push_back({"unmarked", std::exchange(left, 0)});
  if (left + ledger.of(PM_RAM_UNKNOWN) != 0)
    rows.push_back({"unknown", left + ledger.of(PM_RAM_UNKNOWN)});
  return rows;
}

bool is_shown(FrameClass use) {
  return is_ram(use) && use != PM_RAM_UNMARKED && use != PM_RAM_UNKNOWN;
}

}  // namespace

std::vector<ClassPages> class_pages(const Ledger& ledger) {
  std::vector<ClassPages> rows;
  for (std::size_t i = 0; i < kFrameClasses; ++i) {
    const auto use = static_cast<FrameClass>(i);
    if (!is_shown(use) || ledger.of(use) == 0) continue;
    // /proc/kpageflags does not show owners. Only page_owner knows the owners of large kmalloc.
    const bool is_known =
        (ledger.header().ram_by != "proc" && use != PM_RAM_LARGE_KMALLOC) || ledger.owned(use) != 0;
    rows.push_back({std::string(word_of(use)), ledger.of(use),
                    facts_of(use).can_have_owner && is_known ? std::optional(ledger.owned(use))
                                                             : std::nullopt});
  }
  for (ClassPages& row : unmarked_rows(ledger)) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(), [](const ClassPages& a, const ClassPages& b) {
    return (a.name != "unknown" && b.name == "unknown") ||
           (b.name != "unknown" && a.name != "unknown" && a.pages > b.pages);
  });
  return rows;
}

}  // namespace physmem
