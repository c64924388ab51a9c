// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "analyzer/parse/byte_source.h"
#include "program/progress_line.h"

namespace physmem {

/// Passes bytes through and shows their number from time to time. If the total is known, also the
/// remaining time.
class ReadProgress : public ByteSource {
 public:
  /// `all`: total bytes, or 0 if unknown.
  ReadProgress(ByteSource& inner, std::string name, std::uint64_t all = 0);

  Result<std::size_t> read(char* to, std::size_t size) override;
  void interrupt() override { inner_.interrupt(); }
  std::string_view text() const override { return inner_.text(); }
  void release(std::uint64_t offset) override;
  PredecodedRuns* predecoded_runs() override { return inner_.predecoded_runs(); }
  Status state() const override { return inner_.state(); }
  /// Shows the number of the snapshot that is read instead of bytes.
  void at(std::size_t snapshot, std::size_t of) {
    snapshot_ = snapshot;
    snapshots_ = of;
  }
  /// Call it before other output to the terminal.
  void clear() { line_.clear(); }
  /// Call it if other output follows while bytes are read.
  void stop() { line_.stop(); }

 private:
  void count(std::uint64_t bytes);

  ByteSource& inner_;
  std::string name_;
  ProgressLine line_;
  std::uint64_t all_;
  std::uint64_t bytes_ = 0;
  std::size_t snapshot_ = 0;
  std::size_t snapshots_ = 0;  ///< 0: their number is not known
};

}  // namespace physmem
