// SPDX-License-Identifier: MIT
// Rounds for tests of the live view.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "top/model/history.h"
#include "top/model/rows.h"

namespace physmem::top {

/// A process with start time = pid.
inline ProcessState some_process(std::uint64_t pid, const std::string& command, Kib rss) {
  ProcessState process;
  process.pid = pid;
  process.start_time = pid;
  process.uid = 1000;
  process.command = command;
  process.cgroup = Name("/user.slice");
  process.rss = rss;
  return process;
}

inline Round round_at(std::uint64_t seconds, std::vector<ProcessState> processes) {
  Round round;
  round.host = "desk";
  round.uptime_ns = seconds * 1'000'000'000;
  for (ProcessState& process : processes)
    round.processes.push_back(std::make_shared<const ProcessState>(std::move(process)));
  return round;
}

inline std::string user_of(std::uint64_t uid) {
  return uid == 0 ? "root" : "user" + std::to_string(uid);
}

}  // namespace physmem::top
