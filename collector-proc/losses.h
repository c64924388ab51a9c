// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "formats/emit/records.h"

namespace physmem::collect {

/// A process whose VMAs could not be read for lack of permission.
struct HiddenProcess {
  std::uint64_t pid = 0;
  std::string name;
  friend bool operator==(const HiddenProcess&, const HiddenProcess&) = default;
};

/// Counts of what snapshots lack.
struct Losses {
  static constexpr std::size_t kMaxNamed = 10;

  bool frames_hidden = false;
  bool frames_missing = false;  // hidden from everybody: /proc has no kpagecount or kpageflags
  bool ram_hidden = false;      // all frames of RAM were asked for
  std::uint64_t task_exited = 0;
  std::uint64_t areas_hidden = 0;       // processes
  std::vector<HiddenProcess> hidden;    // at most kMaxNamed, with the lowest ids
  bool is_init_hidden = false;          // process 1 is one of them, in spite of CAP_SYS_PTRACE
  std::uint64_t areas_unsupported = 0;  // processes whose counts this kernel does not show
  std::uint64_t space_changed = 0;      // processes that changed at each try to read them
  std::uint64_t corrupt = 0;            // places in lists of the kernel that made no sense
  bool symbols_hidden = false;          // so that some owners of RAM have no name
  std::uint64_t in_transit = 0;         // page-table entries
  pm_markers markers{};                 // no loss
  std::uint64_t frame_unreadable = 0;   // pages without count and flags in the kernel
  std::uint64_t frame_missing = 0;      // pages omitted because of a hidden frame number
  std::uint64_t sharing_unknown = 0;    // processes that may share another's address space
  /// 1: this kernel does not distinguish merged pages from other anonymous ones.
  std::uint64_t ksm_unknown = 0;

  /// Whether data is missing that the snapshot should have. A task that ended does not count, and
  /// process 1 of a container does not if no program in the container can read it.
  bool is_incomplete() const {
    return frames_hidden || ram_hidden || hidden_from_user() > 0 || areas_unsupported > 0 ||
           frame_missing > 0 || space_changed > 0 || corrupt > 0 || symbols_hidden;
  }
  /// Processes that a user with more rights could read.
  std::uint64_t hidden_from_user() const { return areas_hidden - (is_init_hidden ? 1 : 0); }

  /// Counts the process in areas_hidden.
  void add_hidden(HiddenProcess process);
  /// Adds the losses of another part of the same snapshot.
  void add(const Losses& other);
  /// Adds the losses of the next snapshot of a series. Hidden processes are mostly the same in each
  /// snapshot, so their maximum is kept; all other counts are added.
  Losses& operator+=(const Losses& other);
};

/// Returns a line for each process in `hidden`, and one with the number of others. Control
/// characters in names are replaced by question marks.
std::vector<std::string> hidden_lines(const Losses& losses);

/// Returns the nonzero counts as note.* counters of the snapshot.
std::vector<Counter> notes_of(const Losses& losses);

}  // namespace physmem::collect
