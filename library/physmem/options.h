// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace physmem {

struct OpenOptions {
  /// Thread-group ids of the processes that are read; empty: all. Frames that processes share count
  /// for the first of them. RAM, counters and header always describe the whole system.
  std::vector<std::uint64_t> pids = {};
  /// False: areas() stays empty, which saves about 160 bytes per VMA.
  bool keeps_areas = true;
  /// Threads that read a long text, at least 1. Compressed and compact files use at most two.
  std::size_t jobs = 1;
};

}  // namespace physmem
