// SPDX-License-Identifier: MIT
// Why processes have few huge pages.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/ram/huge_page_facts.h"
#include "analyzer/analyze/ram/page_blocks.h"
#include "analyzer/shape/finding.h"

namespace physmem {

/// The causes that apply, the most certain first. Empty if huge pages are not rare.
std::vector<Finding> findings_of_huge_pages(const HugePageFacts& facts, const PageBlocks& blocks);

/// The verdict and its causes. Empty if the snapshot does not have the rules.
std::vector<std::string> huge_page_lines(const HugePageFacts& facts, const PageBlocks& blocks);

}  // namespace physmem
