// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>

namespace physmem {

/// The snapshot cannot be read. what() has the place, what was found and what was expected:
/// `snap.txt:12:4: V: start address: found "0FE9400G", expected …`.
class SnapshotError : public std::runtime_error {
 public:
  enum class Kind {
    kBadInput,  ///< the file is no snapshot, is damaged, is cut short, or contradicts itself
    kIo,        ///< the file cannot be opened or read, or it changed while it was read
  };

  SnapshotError(Kind kind, const std::string& what, std::string file, std::uint64_t line = 0,
                std::uint64_t column = 0, std::error_code code = {});
  SnapshotError(const SnapshotError&) = default;
  SnapshotError& operator=(const SnapshotError&) = default;
  ~SnapshotError() override;

  Kind kind() const noexcept { return kind_; }
  const std::string& file() const noexcept { return file_; }
  /// Line and column in the text of the snapshot, after decompression. Both begin at 1, and are 0
  /// if the error has no place. If compressed data is damaged, they are the end of the text that
  /// could be decompressed.
  std::uint64_t line() const noexcept { return line_; }
  std::uint64_t column() const noexcept { return column_; }
  /// The error of the system, for example `std::errc::no_such_file_or_directory`. It is empty if
  /// the system reported none: for kBadInput, and for a file that has changed.
  std::error_code code() const noexcept { return code_; }

 private:
  Kind kind_;
  std::string file_;
  std::uint64_t line_;
  std::uint64_t column_;
  std::error_code code_;
};

}  // namespace physmem
