// SPDX-License-Identifier: MIT
// A paging trace into a stream, in one of its three forms (formats/trace-records.md).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>

#include "paging/parse/paging_sink.h"

namespace physmem {

/// on_header comes first. A failed write shows in the stream's own state.
class TraceWriter : public PagingSink {
 public:
  /// The trace is whole: writes its end. Nothing may follow.
  virtual void end() = 0;
  /// Hands what there is to the stream: a file that grows can be read up to here.
  virtual void flush() = 0;
  /// Events that the form has no line for.
  virtual std::uint64_t left_out() const { return 0; }
};

std::unique_ptr<TraceWriter> text_trace_writer(std::ostream& out);
std::unique_ptr<TraceWriter> binary_trace_writer(std::ostream& out);

enum class PaperLines {
  kActual,  ///< what the paper's kernel would write: swap-ins by a fault and swap-outs, all with a
            ///< read or write of the device
  kAll,     ///< every event; what is not known as all ones
};
std::unique_ptr<TraceWriter> paper_trace_writer(std::ostream& out, PaperLines which);

}  // namespace physmem
