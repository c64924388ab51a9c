// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace physmem {

/// A snapshot that cannot be read. what() has the place, what was found and what was expected:
/// `snap.txt:12:4: V: start address: found "0FE9400G", expected …`.
class SnapshotError : public std::runtime_error {
 public:
  enum class Kind {
    kBadInput,  ///< the file is no snapshot, is damaged, cut short, or contradicts itself
    kIo,        ///< the system refused to open or read it
  };

  SnapshotError(Kind kind, const std::string& what, std::string file, std::uint64_t line = 0,
                std::uint64_t column = 0);
  SnapshotError(const SnapshotError&) = default;
  SnapshotError& operator=(const SnapshotError&) = default;
  ~SnapshotError() override;

  Kind kind() const noexcept { return kind_; }
  const std::string& file() const noexcept { return file_; }
  /// The place in the text of the snapshot after decompression, from 1; 0: the error has none. Of
  /// damaged compressed data, up to where its text was read.
  std::uint64_t line() const noexcept { return line_; }
  std::uint64_t column() const noexcept { return column_; }

 private:
  Kind kind_;
  std::string file_;
  std::uint64_t line_;
  std::uint64_t column_;
};

}  // namespace physmem
