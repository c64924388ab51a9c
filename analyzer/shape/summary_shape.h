// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/summary.h"
#include "analyzer/analyze/ram/ram_verdict.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// The summary in ten lines. `verdicts`: see ledger_line(). `missing`: sentences on what the reader
/// or the collector could not do.
std::vector<std::string> summary_text(const Summary& summary, const View& view,
                                      const std::vector<RamVerdict>& verdicts,
                                      const std::vector<std::string>& missing);
/// The same figures as rows: section, name, pages.
Table summary_table(const Summary& summary, const View& view);

}  // namespace physmem
