// SPDX-License-Identifier: MIT
// One function a line of a paging trace's text form (formats/trace-records.md).
//
// Each reads through the cursor and leaves the first flaw in it; what it returns then is not to be used.
#pragma once

#include "analyzer/model/paging_event.h"
#include "analyzer/parse/line_cursor.h"

namespace physmem {

struct TraceHeaderLine {
  TraceHeader header;
  bool is_binary = false;
};

struct SwapAreaLine {
  SwapArea area;
  bool is_gone = false;
};

/// E:.
struct TraceTotals {
  std::uint64_t ins = 0;
  std::uint64_t outs = 0;
  std::uint64_t lost = 0;
  friend bool operator==(const TraceTotals&, const TraceTotals&) = default;
};

/// Whether an H: line is that of a paging trace, and not of a snapshot.
bool is_trace_header(std::string_view line);

TraceHeaderLine parse_trace_header(LineCursor& line);
SwapAreaLine parse_swap_area(LineCursor& line);
PagingEvent parse_paging_event(LineCursor& line, PagingKind kind);
LostEvents parse_lost_events(LineCursor& line);
TraceTotals parse_trace_totals(LineCursor& line);

}  // namespace physmem
