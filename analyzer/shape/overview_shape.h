// SPDX-License-Identifier: MIT
// The state of a machine in a few lines.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/ram/memory_totals.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// How a part of RAM is named, and the sign of its cells in bars.
struct MemoryPartText {
  char letter;
  const char* name;
  const char* short_name;
};
/// By MemoryPart.
inline constexpr std::array<MemoryPartText, kMemoryParts> kMemoryPartTexts{
    {{'#', "anonymous", "anon"},
     {'%', "shared memory", "shmem"},
     {'=', "file cache", "file"},
     {'+', "kernel", "kernel"},
     {'-', "other", "other"},
     {'.', "free", "free"}}};

/// RAM as one bar.
ShareBar memory_bar(const std::array<std::uint64_t, kMemoryParts>& parts);
/// The same as a table.
Table memory_table(const MemoryTotals& totals, PageSize size);
/// The letters of the bar with sizes, in two lines, then RAM and swap.
std::vector<std::string> memory_lines(const MemoryTotals& totals);
/// "host: Linux 6.1.0 (x86_64), 2026-11-20T14:03:12Z, up 3 d 4 h".
std::string machine_line(const Header& header);
/// "26 areas of private code (310 pages could be shared)".
std::string alerts_line(const Alerts& alerts, PageSize size);

}  // namespace physmem
