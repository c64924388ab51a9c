// SPDX-License-Identifier: MIT
// Writes a paging trace to a stream in one of its three forms (formats/trace-records.md).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>

#include "paging/parse/paging_sink.h"

namespace physmem {

/// on_header must be called first. Write errors are kept in the state of the stream.
class TraceWriter : public PagingSink {
 public:
  /// Writes the end of the trace. No calls may follow.
  virtual void end() = 0;
  /// Passes all buffered data to the stream, so that a growing file can be read up to here.
  virtual void flush() = 0;
  /// Number of events that this form cannot express.
  virtual std::uint64_t left_out() const { return 0; }
};

std::unique_ptr<TraceWriter> text_trace_writer(std::ostream& out);
std::unique_ptr<TraceWriter> binary_trace_writer(std::ostream& out);

enum class PaperLines {
  /// what the paper's kernel would write: swap-outs, and swap-ins by a fault, with device I/O only
  kActual,
  kAll,  ///< every event; unknown fields are all ones
};
std::unique_ptr<TraceWriter> paper_trace_writer(std::ostream& out, PaperLines which);

}  // namespace physmem
