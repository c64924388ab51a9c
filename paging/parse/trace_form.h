// SPDX-License-Identifier: MIT
// Common interface of the forms of a paging trace file. For trace_reader.cc only.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "analyzer/parse/window.h"
#include "paging/parse/paging_sink.h"
#include "paging/parse/trace_line.h"
#include "paging/parse/trace_notes.h"
#include "program/result.h"

namespace physmem {

class TraceForm {
 public:
  TraceForm(Window& window, bool keep_going, TraceNotes& notes, TraceHeader header)
      : window_(window), keep_going_(keep_going), notes_(notes), header_(std::move(header)) {}
  virtual ~TraceForm() = default;
  TraceForm(const TraceForm&) = delete;
  TraceForm& operator=(const TraceForm&) = delete;

  /// Passes on records up to and including one event or loss. False at the end of the trace.
  virtual Result<bool> next(PagingSink& sink) = 0;

 protected:
  Window& window() { return window_; }
  const TraceHeader& header() const { return header_; }
  TraceNotes& notes() { return notes_; }

  void set_area(const SwapAreaLine& line);
  /// Passes the header on if it has changed.
  void emit_header(PagingSink& sink);
  void deliver(const PagingEvent& event, PagingSink& sink);
  void deliver(const LostEvents& lost, PagingSink& sink);

  /// Checks the totals in the end record against the records read.
  Status check(const TraceTotals& stated, const Error& where);
  /// Handles input that ends or fails before the end of the trace. Returns false under keep_going.
  Result<bool> cut_short(const Error& error);
  /// Under keep_going, counts the dropped record. Otherwise returns the error.
  Status drop(const Error& error);
  Error problem(std::uint64_t column, const std::string& text) const;

 private:
  Window& window_;
  bool keep_going_;
  TraceNotes& notes_;
  TraceHeader header_;
  bool header_is_new_ = true;
  bool is_damaged_ = false;
  TraceTotals seen_;
};

/// Both begin after the H: line, from which `header` was read.
std::unique_ptr<TraceForm> text_trace(Window& window, bool keep_going, TraceNotes& notes,
                                      const TraceHeader& header);
std::unique_ptr<TraceForm> binary_trace(Window& window, bool keep_going, TraceNotes& notes,
                                        const TraceHeader& header);
/// Begins at the first line.
std::unique_ptr<TraceForm> log_trace(Window& window, bool keep_going, TraceNotes& notes);

}  // namespace physmem
