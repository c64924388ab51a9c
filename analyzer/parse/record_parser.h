// SPDX-License-Identifier: MIT
// One function per record parses the text of its line. formats/physmem-records.md is the grammar.
//
// Each reads through the cursor and leaves the first flaw in it. The result is valid only if there
// is no flaw.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analyzer/model/header.h"
#include "analyzer/model/holder.h"
#include "analyzer/model/page_run.h"
#include "analyzer/model/ram.h"
#include "analyzer/model/task.h"
#include "analyzer/model/vma.h"
#include "analyzer/parse/events.h"
#include "analyzer/parse/hex_columns.h"
#include "analyzer/parse/line_cursor.h"
#include "analyzer/parse/vma_tails.h"

namespace physmem {

/// The totals that the snapshot states.
struct Totals {
  std::uint64_t tasks = 0;
  std::uint64_t areas = 0;
  std::uint64_t pages = 0;
  std::uint64_t swapped = 0;
  auto operator<=>(const Totals&) const = default;
};

/// E:.
struct EndLine {
  Totals totals;
  SnapshotEnd end;
};

/// What earlier V: lines have in common with later ones. Without hints each line is parsed alone,
/// with the same result but slower.
struct VmaHints {
  HexColumns columns;
  VmaTails tails;
};

Header parse_header(LineCursor& line);
/// The names point into the line.
std::vector<Counter> parse_counters(LineCursor& line);
Task parse_task(LineCursor& line, int version);
Vma parse_vma(LineCursor& line, const Header& header, VmaHints* hints);
PageCounts parse_counts(LineCursor& line, int version);
Holder parse_holder(LineCursor& line);
Zone parse_zone(LineCursor& line);
RamOwner parse_owner(LineCursor& line);
RamRun parse_ram(LineCursor& line);
EndLine parse_end(LineCursor& line);

}  // namespace physmem
