// SPDX-License-Identifier: MIT
// Counters over time as a Perfetto trace: a group of tracks for the machine and for each process.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>

#include "analyzer/report/perfetto_writer.h"
#include "analyzer/shape/counter_shape.h"

namespace physmem {

/// Memory: the counters of the last sample.
class CounterTrace {
 public:
  explicit CounterTrace(std::ostream& out) : perfetto_(out) {}

  /// Samples ascend in time. The counters of a process that has ended become 0, and so do counters
  /// of the machine that a sample lacks: classes of RAM without pages. Other counters keep their
  /// value while it is not known.
  void add(const CounterSample& sample);
  /// Must be the last call.
  void end() { perfetto_.end(); }

 private:
  struct Track {
    std::uint64_t id = 0;
    std::uint64_t sample = 0;  ///< number of the last one that has it
  };
  struct Group {
    std::uint64_t id = 0;
    std::uint64_t sample = 0;  ///< number of the last one that has it
    bool is_process = false;
    std::map<std::string, Track> counters;
  };

  Group& group_of(const CounterGroup& group);
  Track& track_of(Group& group, const CounterValue& counter);
  void end_missing(std::uint64_t time_ns);

  PerfettoWriter perfetto_;
  std::map<std::string, Group> groups_;  ///< by key
  std::uint64_t tracks_ = 0;
  std::uint64_t samples_ = 0;
};

}  // namespace physmem
