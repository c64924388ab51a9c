// SPDX-License-Identifier: MIT
// Faults over several snapshots of one machine, and the verdicts of the thrash detector (I20).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/time/thrash_series.h"

namespace physmem {

/// A change of the system's level or of a process's state.
struct FaultEvent {
  /// Seconds since the first sample, or the number of the snapshot if there are no times.
  double at = 0;
  bool has_times = true;
  RefaultCondition refault_condition = RefaultCondition::kUnknown;
  SystemWindow system;  ///< of the deciding window
  std::optional<LevelChange> level;
  std::optional<StateChange> process;
  /// For a level: at most three processes with the most major faults.
  std::vector<ProcessWindow> top;
};

/// The system's event first, then the events of processes.
std::vector<FaultEvent> events_of(const FaultWindow& window, const WindowVerdict& verdict);

/// One process over the whole series.
struct ProcessFaults {
  ProcessId id;
  std::string name;
  std::uint64_t minors = 0;
  std::uint64_t majors = 0;
  double cpu_ms = 0;
  double seconds = 0;    ///< for which it was observed
  double peak_rate = 0;  ///< major faults per second in its worst window
  FaultState worst = FaultState::kQuiet;
  double thrashing_seconds = 0;
  std::size_t first_window = 0;  ///< number of the first window in which it was observed
  std::size_t last_window = 0;
  /// Rate and L of one window with major faults.
  struct Point {
    std::size_t window = 0;
    double major_rate = 0;
    double lifetime_ms = 0;
  };
  std::vector<Point> points;

  std::optional<double> lifetime_ms() const {
    return majors == 0 ? std::nullopt : std::optional(cpu_ms / static_cast<double>(majors));
  }
};

/// The system in one window.
struct FaultWindowRow {
  double begin = 0;
  double end = 0;
  SystemWindow system;
  RefaultCondition refault_condition = RefaultCondition::kUnknown;
  Level level = Level::kUnknown;
  std::uint64_t minors = 0;  ///< of processes that exist at both ends
  std::uint64_t majors = 0;
  double cpu_ms = 0;
};

class FaultSeries : public ThrashSeries {
 public:
  using ThrashSeries::ThrashSeries;

  /// Ordered by major faults, then by minor faults, highest first.
  std::vector<ProcessFaults> processes() const;
  const std::vector<FaultWindowRow>& windows() const { return windows_; }
  const std::vector<FaultEvent>& events() const { return events_; }
  bool has_times() const { return has_times_; }
  bool found_thrashing() const;

 protected:
  void on_window(const FaultWindow& window, const WindowVerdict& verdict) override;

 private:
  void add(const ProcessWindow& process, FaultState state, double seconds);

  /// By number of the run and id. In a run, every snapshot follows the one before; a process
  /// belongs to one boot.
  std::map<std::pair<std::size_t, ProcessId>, ProcessFaults> processes_;
  std::vector<FaultWindowRow> windows_;
  std::vector<FaultEvent> events_;
  bool has_times_ = true;
};

}  // namespace physmem
