// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace physmem {

struct OpenOptions {
  /// Only these processes (thread-group ids); empty: all. Frames that processes share count for the
  /// first of them. RAM, counters and header are always those of the whole system.
  std::vector<std::uint64_t> pids = {};
  /// False: areas() stays empty, which saves some 160 bytes per VMA.
  bool keeps_areas = true;
  /// Threads that read a long text; compressed and compact files use at most two.
  std::size_t jobs = 1;
};

}  // namespace physmem
