// SPDX-License-Identifier: MIT
// Where a trace goes.
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "paging/write/zstd_stream.h"
#include "program/output_file.h"

namespace physmem::record {

/// A recording is a log: it grows under its own name, in place of what was there. All else, and
/// standard output, is an OutputFile. A name that ends in .zst is compressed.
class TraceFile {
 public:
  TraceFile(const std::string& path, bool grows, OutputKind kind = OutputKind::kSnapshot);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Before anything is written, and after all else that can go wrong at the beginning: from now on
  /// what was there is gone. Empty, or why not.
  std::string begin();
  std::ostream& stream();
  /// Empty, or the first thing that went wrong, as a sentence.
  std::string error() const;
  /// Everything is written. As error().
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

}  // namespace physmem::record
