// SPDX-License-Identifier: MIT
// A paging trace in any of its forms to what it says: text, binary, or the paper's lines somewhere
// in a log.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/window.h"
#include "paging/parse/paging_sink.h"
#include "program/result.h"

namespace physmem {

/// What the reader passed over. Zero everywhere: the file was whole and every byte was used.
struct TraceNotes {
  std::uint64_t unknown_records = 0;  ///< lines with a letter this version does not know
  std::uint64_t other_lines = 0;      ///< of a log: lines without a record
  std::uint64_t dropped_lines =
      0;  ///< under keep_going: what breaks the grammar, and what disagrees with the end
  bool is_truncated = false;  ///< under keep_going: there was no end
  std::string first_problem =
      {};  ///< the message of the first that was dropped, or of the missing end

  bool data_is_missing() const { return dropped_lines != 0 || is_truncated; }
};

class TraceForm;

class TraceReader {
 public:
  struct Options {
    bool keep_going =
        false;  ///< drop and count what breaks the grammar, and take a cut file for a whole one
  };

  /// `name` is for messages. The source must outlive the reader.
  TraceReader(ByteSource& source, std::string name, Options options);
  ~TraceReader();
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;

  /// Hands on until one event or loss was among it, in the order of the file. False: the trace is
  /// over. What was handed on before an error is good: a file that was cut short gives all up to
  /// the cut, then the error.
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
