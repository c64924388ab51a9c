// SPDX-License-Identifier: MIT
// The output file of a trace.
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "paging/write/zstd_stream.h"
#include "program/output_file.h"

namespace physmem {

/// A recording grows under its final name and replaces an existing file. Everything else, including
/// standard output, is an OutputFile. Names that end in .zst are compressed.
class TraceFile {
 public:
  TraceFile(const std::string& path, bool grows, OutputKind kind = OutputKind::kSnapshot);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Truncates the existing file. Call this before the first write, after all other steps that can
  /// fail at startup. Returns an error message, or an empty string.
  std::string begin();
  std::ostream& stream();
  /// The first error as a sentence, or an empty string.
  std::string error() const;
  /// Call this after the last write. Returns the same as error().
  std::string commit();
  bool is_terminal() const { return whole_ && whole_->is_terminal(); }
  bool closed_pipe() const { return whole_ && whole_->closed_pipe(); }

 private:
  struct Growing;

  std::ostream& plain();

  std::string path_;
  std::unique_ptr<OutputFile> whole_;
  std::unique_ptr<Growing> growing_;
  std::unique_ptr<ZstdStream> zstd_;
};

}  // namespace physmem
