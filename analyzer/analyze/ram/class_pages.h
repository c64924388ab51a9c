// SPDX-License-Identifier: MIT
// The rows of the ledger: one row per class; unmarked frames are split by the kernel totals that
// explain them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/ram/ledger.h"

namespace physmem {

struct ClassPages {
  std::string name;  ///< the class, "unmarked: WORD" (ExplainedPages) or "unknown"
  std::uint64_t pages = 0;
  std::optional<std::uint64_t> owned = {};  ///< with a known owner; nothing: never have one
};

/// Classes with pages, largest first; "unknown" is the last. They add up to frames().
std::vector<ClassPages> class_pages(const Ledger& ledger);

}  // namespace physmem
