// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/ram_verdict.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// "6160384 pages of RAM (23.5 GiB): 98.91 % with a class, 1.07 % explained by totals, 0.02 %
/// unknown (1402 pages, 5.5 MiB); 9 of 11 witnesses agree, 2 moved". `verdicts`: the result of
/// ram_verdicts(), or empty. Without R: lines, the line explains how to get them.
std::string ledger_line(const Ledger& ledger, const std::vector<RamVerdict>& verdicts);

/// Every class with its pages; what totals explain of the unmarked ones; the rest as unknown. The
/// rows add up to all frames.
Table ledger_table(const Ledger& ledger);
/// Owners with pages, largest first.
Table owners_table(const Ledger& ledger);
/// The classes as one bar: the largest, all others, and what is unknown.
BarChart ledger_chart(const Ledger& ledger, const View& view);
/// The small classes, which one bar does not show, each with a bar of its own.
BarChart small_classes_chart(const Ledger& ledger, const View& view);

}  // namespace physmem
