// SPDX-License-Identifier: MIT
// A file mapped into memory. read() would copy it, which takes as long as all other work.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace physmem {

/// Truncation of a mapped file would end the program by SIGBUS. Here the lost part reads as zeros
/// and was_cut() is true. The first MappedFile installs a SIGBUS handler, which passes every other
/// SIGBUS to the previous handler.
class MappedFile {
 public:
  /// Bytes before and after the text that may be read.
  static constexpr std::size_t kMargin = 64;

  /// Maps the file `fd` at its current size. The caller keeps `fd`.
  explicit MappedFile(int fd);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// The whole file. data() is nullptr if it cannot be mapped: use read() then.
  std::string_view text() const { return text_; }
  /// Releases the pages before `offset`, so that only the part between two calls stays in memory.
  void release(std::uint64_t offset);

  bool was_cut() const;

 private:
  static void take_sigbus();
  bool enter();

  std::size_t page_;
  std::size_t region_size_ = 0;
  char* region_ = nullptr;
  std::string_view text_;
  std::uint64_t gone_ = 0;          ///< bytes of the text that were released
  std::size_t mapping_ = SIZE_MAX;  ///< index in the table of the handler
};

/// Maps the pages of this text with one system call instead of many page faults
/// (MADV_POPULATE_READ).
void prefault(std::string_view text);
/// Releases the pages of this text (MADV_DONTNEED). A later access faults them in again.
void release_pages(std::string_view text);

}  // namespace physmem
