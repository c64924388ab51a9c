// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// What snapshots lack.
struct Losses {
  bool frames_hidden = false;
  std::uint64_t task_exited = 0;
  std::uint64_t areas_hidden = 0;      // processes
  std::uint64_t in_transit = 0;        // page-table entries
  std::uint64_t frame_unreadable = 0;  // pages whose count and flags the kernel does not have
  std::uint64_t frame_missing = 0;     // pages left out, their frame number was hidden
  std::uint64_t sharing_unknown = 0;   // processes that may share another's address space
  std::uint64_t ksm_unknown = 0;       // 1: this kernel does not tell merged pages from other anonymous ones

  /// Whether facts are missing that more privilege would have given; tasks that end are no loss.
  bool is_incomplete() const { return frames_hidden || areas_hidden > 0 || frame_missing > 0; }

  /// What another part of the same snapshot lacks.
  void add(const Losses& other);
  /// What a series lacks: processes that hide are mostly the same every time, so the most of them count; all else adds
  /// up.
  Losses& operator+=(const Losses& other);
};

/// As note.* counters of the snapshot, those that are not 0.
std::vector<Counter> notes_of(const Losses& losses);

}  // namespace physmem::collect
