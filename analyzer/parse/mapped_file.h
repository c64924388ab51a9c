// SPDX-License-Identifier: MIT
// A file's bytes where the kernel has them: reading copies them, which takes as long as the rest.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace physmem {

/// A file that becomes shorter under a mapping would end the program (SIGBUS); here what is gone
/// reads as zeros, and was_cut() tells. A handler of SIGBUS is installed with the first MappedFile;
/// it leaves every other SIGBUS to the handler that was there before.
class MappedFile {
 public:
  /// Bytes before and behind the text that may be read.
  static constexpr std::size_t kMargin = 64;

  /// Of the file that `fd` is, which stays the caller's, as long as it is now.
  explicit MappedFile(int fd);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// All of it. Without data() where a mapping is not to be had: use read().
  std::string_view text() const { return text_; }
  /// What stands before `offset` is not needed for now: memory holds no more than what lies between
  /// two calls.
  void release(std::uint64_t offset);

  bool was_cut() const;

 private:
  static void take_sigbus();
  bool enter();

  std::size_t page_;
  std::size_t region_size_ = 0;
  char* region_ = nullptr;
  std::string_view text_;
  std::uint64_t gone_ = 0;          ///< bytes of the text that were let go
  std::size_t mapping_ = SIZE_MAX;  ///< its place where the handler looks
};

/// Mapped text that will be looked at now: its pages come into the page tables all at once, not by
/// a fault for some each.
void prefault(std::string_view text);
/// Mapped text that nobody looks at for now: memory need not hold it. Who looks all the same finds
/// it.
void release_pages(std::string_view text);

}  // namespace physmem
