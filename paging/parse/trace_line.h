// SPDX-License-Identifier: MIT
// One function per record type of the text form of a paging trace (formats/trace-records.md).
//
// Each function reads through the cursor. After an error, which the cursor holds, the return value
// must not be used.
#pragma once

#include "analyzer/parse/line_cursor.h"
#include "paging/model/paging_event.h"

namespace physmem {

struct TraceHeaderLine {
  TraceHeader header;
  bool is_binary = false;
};

struct SwapAreaLine {
  SwapArea area;
  bool is_gone = false;
};

/// Totals of the E: record.
struct TraceTotals {
  std::uint64_t ins = 0;
  std::uint64_t outs = 0;
  std::uint64_t lost = 0;
  friend bool operator==(const TraceTotals&, const TraceTotals&) = default;
};

TraceHeaderLine parse_trace_header(LineCursor& line);
SwapAreaLine parse_swap_area(LineCursor& line);
PagingEvent parse_paging_event(LineCursor& line, PagingKind kind);
LostEvents parse_lost_events(LineCursor& line);
TraceTotals parse_trace_totals(LineCursor& line);

}  // namespace physmem
