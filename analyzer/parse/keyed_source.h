// SPDX-License-Identifier: MIT
// The key of each snapshot of an input: the SHA-256 of its decoded text, from its first line to its
// E: line. So the text, compressed and compact forms of a snapshot have one key.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "analyzer/parse/byte_source.h"
#include "program/sha256.h"

namespace physmem {

/// Divides text into snapshots: one ends after the line that begins with E and a colon.
class SnapshotEnds {
 public:
  /// Takes the next line from `text`, or what it has of one. `ends`: whether a snapshot ends there.
  std::string_view next(std::string_view& text, bool& ends);
  /// At the end of the input: whether a snapshot ends there, in a line without a newline.
  bool finish();

 private:
  std::string line_;  ///< the first two bytes of the current line
};

/// Passes text on, never runs or mapped text, and takes the digests of its snapshots.
class KeyedSource : public ByteSource {
 public:
  explicit KeyedSource(ByteSource& inner) : inner_(inner) {}

  Result<std::size_t> read(char* to, std::size_t size) override;
  void interrupt() override { inner_.interrupt(); }
  Status state() const override { return inner_.state(); }

  /// The key of the next snapshot, as 64 hexadecimal digits. Empty if its last line was not read.
  std::string take_key();

 private:
  void add(std::string_view text);
  void end_snapshot() { keys_.push_back(hex_of(digest_.finish())); }

  ByteSource& inner_;
  std::string_view left_;  ///< of a mapped input
  bool is_begun_ = false;
  Sha256Stream digest_;
  SnapshotEnds ends_;
  std::deque<std::string> keys_;  ///< of snapshots that were read and not taken
};

}  // namespace physmem
