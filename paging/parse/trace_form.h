// SPDX-License-Identifier: MIT
// The forms that a paging trace may have in a file, behind one face. For trace_reader.cc only.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "analyzer/parse/window.h"
#include "paging/parse/paging_sink.h"
#include "paging/parse/trace_line.h"
#include "paging/parse/trace_reader.h"

namespace physmem {

class TraceForm {
 public:
  TraceForm(Window& window, bool keep_going, TraceNotes& notes, TraceHeader header)
      : window_(window), keep_going_(keep_going), notes_(notes), header_(std::move(header)) {}
  virtual ~TraceForm() = default;
  TraceForm(const TraceForm&) = delete;
  TraceForm& operator=(const TraceForm&) = delete;

  /// Hands on until one event or loss was among it. False: the trace is over.
  virtual Result<bool> next(PagingSink& sink) = 0;

 protected:
  Window& window() { return window_; }
  const TraceHeader& header() const { return header_; }
  TraceNotes& notes() { return notes_; }

  void set_area(const SwapAreaLine& line);
  /// Hands the header on if it is new.
  void tell_header(PagingSink& sink);
  void tell(const PagingEvent& event, PagingSink& sink);
  void tell(const LostEvents& lost, PagingSink& sink);

  /// At the end that the trace itself names: does it agree?
  Status check(const TraceTotals& said, const Error& where);
  /// The input ends, or cannot be read on, before the trace's end: false where that is allowed.
  Result<bool> cut_short(const Error& error);
  /// Counts what is passed over, where that is allowed; else the error itself.
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

/// Both begin behind the H: line, which `header` was read from.
std::unique_ptr<TraceForm> text_trace(Window& window, bool keep_going, TraceNotes& notes,
                                      const TraceHeader& header);
std::unique_ptr<TraceForm> binary_trace(Window& window, bool keep_going, TraceNotes& notes,
                                        const TraceHeader& header);
/// From the first line on.
std::unique_ptr<TraceForm> log_trace(Window& window, bool keep_going, TraceNotes& notes);

}  // namespace physmem
