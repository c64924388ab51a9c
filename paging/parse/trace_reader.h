// SPDX-License-Identifier: MIT
// Reads a paging trace in any of its forms: text, binary, or the paper's lines in a log.
#pragma once

#include <memory>
#include <string>

#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/window.h"
#include "paging/parse/paging_sink.h"
#include "paging/parse/trace_notes.h"
#include "program/result.h"

namespace physmem {

class TraceForm;

class TraceReader {
 public:
  struct Options {
    bool keep_going = false;  ///< drop and count malformed lines, and accept a truncated file
  };

  /// `name` is used in messages. The source must outlive the reader.
  TraceReader(ByteSource& source, std::string name, Options options);
  ~TraceReader();
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;

  /// Passes on records in file order, up to and including one event or loss. False at the end of
  /// the trace. Records passed on before an error are valid: a truncated file yields everything up
  /// to the cut, then the error.
  Result<bool> next(PagingSink& sink);

  const TraceNotes& notes() const { return notes_; }

 private:
  Status begin();

  Window window_;
  Options options_;
  TraceNotes notes_;
  std::unique_ptr<TraceForm> form_;
};

}  // namespace physmem
