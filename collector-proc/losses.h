// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// A process whose areas the kernel did not let this one read.
struct HiddenProcess {
  std::uint64_t pid = 0;
  std::string name;
  friend bool operator==(const HiddenProcess&, const HiddenProcess&) = default;
};

/// What snapshots lack.
struct Losses {
  static constexpr std::size_t kMaxNamed = 10;

  bool frames_hidden = false;
  std::uint64_t task_exited = 0;
  std::uint64_t areas_hidden = 0;      // processes
  std::vector<HiddenProcess> hidden;   // those with the lowest ids, kMaxNamed of them
  std::uint64_t in_transit = 0;        // page-table entries
  std::uint64_t frame_unreadable = 0;  // pages whose count and flags the kernel does not have
  std::uint64_t frame_missing = 0;     // pages left out, their frame number was hidden
  std::uint64_t sharing_unknown = 0;   // processes that may share another's address space
  std::uint64_t ksm_unknown =
      0;  // 1: this kernel does not tell merged pages from other anonymous ones

  /// Whether facts are missing that more privilege would have given; tasks that end are no loss.
  bool is_incomplete() const { return frames_hidden || areas_hidden > 0 || frame_missing > 0; }

  /// Counts the process in areas_hidden.
  void add_hidden(HiddenProcess process);
  /// What another part of the same snapshot lacks.
  void add(const Losses& other);
  /// What a series lacks: processes that hide are mostly the same every time, so the most of them
  /// count; all else adds up.
  Losses& operator+=(const Losses& other);
};

/// A line for each process in `hidden`, and one that counts the others. Control characters of names
/// are question marks.
std::vector<std::string> hidden_lines(const Losses& losses);

/// As note.* counters of the snapshot, those that are not 0.
std::vector<Counter> notes_of(const Losses& losses);

}  // namespace physmem::collect
