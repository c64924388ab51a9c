// SPDX-License-Identifier: MIT
// What one sample of the machine knows. Passive data. A value that is not known is nothing, never
// 0.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/ram/memory_totals.h"
#include "analyzer/analyze/time/fault_window.h"
#include "analyzer/analyze/time/thrash_detector.h"
#include "analyzer/model/name.h"

namespace physmem::top {

using Kib = std::uint64_t;

/// One process. All counts are cumulative.
struct ProcessState {
  std::uint64_t pid = 0;
  std::uint64_t start_time = 0;  ///< 1/hz s since boot
  std::uint64_t uid = 0;
  std::string command;
  Name cgroup;
  std::uint64_t minors = 0;
  std::uint64_t majors = 0;
  std::uint64_t ticks = 0;  ///< user and system time, 1/hz s
  std::optional<Kib> rss;
  std::optional<Kib> swap;
  std::optional<Kib> uss;  ///< of the last page walk, as is pss
  std::optional<Kib> pss;

  bool operator==(const ProcessState&) const = default;
};

/// The classes of RAM that the bar shows, and swap.
struct Memory {
  Kib total = 0;
  std::optional<std::array<Kib, kMemoryParts>> parts;  ///< MemoryTotals::parts()
  Kib swap_total = 0;
  Kib swap_free = 0;
  std::optional<Kib> available;
};

/// The judgement of the thrash detector at the end of the round.
struct Verdict {
  Level level = Level::kUnknown;
  RefaultCondition refault_condition = RefaultCondition::kUnknown;
  SystemWindow system;
  bool has_times = true;
};

/// How old the page walks are, and what physmem-top itself costs. Not known in a replay.
struct WalkState {
  bool are_frames_hidden = false;   ///< frame numbers cannot be read: by root only, or not at all
  bool are_frames_missing = false;  ///< not at all (FrameFiles::are_missing)
  bool are_counts_means = false;    ///< over a large folio, so USS and PSS are estimates
  std::uint64_t processes = 0;
  std::uint64_t unread = 0;         ///< processes whose pages have not been read yet
  std::uint64_t denied = 0;         ///< processes whose pages this user may not read
  std::uint64_t stale = 0;          ///< those that changed since, and were read over 10 s ago
  std::optional<double> cost = {};  ///< CPU time of physmem-top, as a fraction of one core
};

using ProcessPointer = std::shared_ptr<const ProcessState>;

struct Round {
  std::string host;
  std::optional<std::uint64_t> time_ns;  ///< since 1970
  std::uint64_t uptime_ns = 0;
  std::uint64_t hz = 100;
  std::optional<std::uint64_t> load_centi;  ///< of the last minute, in 1/100
  std::optional<Memory> memory;
  std::optional<Verdict> verdict;  ///< nothing in the first round
  std::optional<WalkState> walks;
  std::vector<ProcessPointer> processes;  ///< by pid, ascending. Unchanged ones are shared.
};

}  // namespace physmem::top
