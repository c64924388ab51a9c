// SPDX-License-Identifier: MIT
#include "collector-proc/entry_file.h"

#include <unistd.h>

#include <cerrno>

#include "program/signals.h"

namespace physmem::collect {

ssize_t read_entries(int fd, std::uint64_t first, std::span<std::uint64_t> into) {
  constexpr ssize_t kBytes = sizeof(std::uint64_t);
  for (;;) {
    const ssize_t got = ::pread(fd, into.data(), into.size_bytes(),
                                static_cast<off_t>(first * sizeof(std::uint64_t)));
    if (got >= 0) return got / kBytes;
    if (errno != EINTR || interrupted()) return -1;
  }
}

std::optional<std::uint64_t> entry_at(int fd, std::uint64_t index) {
  std::uint64_t entry = 0;
  return read_entries(fd, index, {&entry, 1}) == 1 ? std::optional(entry) : std::nullopt;
}

}  // namespace physmem::collect
