// SPDX-License-Identifier: MIT
// The whole of RAM in --ask leaks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analyze/time/leak_search.h"
#include "analyzer/analyze/time/ram_leak_judge.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// "slab cache dentry", "page tables of db (371)".
std::string ram_subject_text(const RamLeakRow& row);

/// A leak, or a cache that grows. `search` has the time of the series.
std::string ram_leak_sentence(const LeakSearch& search, const RamLeakRow& row, const View& view);

/// What was examined.
std::string ram_looked_at(const LeakSearch& search, const std::vector<RamLeakRow>& rows);

/// That so many snapshots lack the whole of RAM.
std::string ram_missing(std::uint64_t snapshots);

/// leaks-ram: leaks and caches that grow. With --full, every series, with the reason if it is not a
/// leak.
Table ram_leaks_table(const LeakSearch& search, const std::vector<RamLeakRow>& rows,
                      const View& view);

}  // namespace physmem
