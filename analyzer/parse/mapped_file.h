// SPDX-License-Identifier: MIT
// A file's bytes where the kernel has them, some MiB at a time: reading copies them, which takes as long as the rest.
#pragma once

#include <csignal>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace physmem {

/// Memory of one window whatever the length of the file. A file that becomes shorter under a mapping would end the
/// program (SIGBUS); here what is gone reads as zeros, and was_cut() tells. A handler of SIGBUS is installed with the
/// first MappedFile; it leaves every other SIGBUS to the handler that was there before.
class MappedFile {
 public:
  static constexpr std::size_t kWindow = 4 << 20;
  /// Bytes before and behind a window that may be read.
  static constexpr std::size_t kMargin = 64;

  /// Of the file that `fd` is, which stays the caller's.
  explicit MappedFile(int fd, std::size_t window = kWindow);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// False where a mapping is not to be had: use read().
  bool is_possible() const { return region_ != nullptr; }

  /// The bytes from `offset` on, at least a window of them unless the file ends before. The window before is gone.
  /// Without data() where the kernel would not map it; error() tells.
  std::string_view window(std::uint64_t offset);

  bool was_cut() const { return was_cut_.load(std::memory_order_relaxed); }
  int error() const { return error_; }  ///< errno; 0: none

 private:
  static void on_sigbus(int signal, siginfo_t* info, void* context);
  static void take_sigbus();
  bool replaces(const void* address);

  int fd_;
  std::size_t window_;
  std::size_t page_;
  std::size_t region_size_;
  char* region_ = nullptr;
  int error_ = 0;
  std::atomic<bool> was_cut_{false};
};

}  // namespace physmem
