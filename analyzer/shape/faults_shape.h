// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/process/unit_reuse.h"
#include "analyzer/analyze/time/fault_series.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// name(): "thrashing". figure(): its digit in tables, "3"; "R" for recovering, "-" for unknown.
std::string_view name(Level level);
std::string_view figure(Level level);
std::string_view name(FaultState state);

/// A sentence with the old and new state and the reason, without the time.
std::string event_sentence(const FaultEvent& event, const ThrashLimits& limits);
/// The sentence of a level in parts, for a line that may not have room for all of them: "HEAD:
/// MEANING: NUMBER, NUMBER; NOTE".
struct LevelText {
  std::string head;
  std::string meaning;
  std::vector<std::string> numbers;
  std::vector<std::string> notes;  ///< what makes the level uncertain
};
LevelText level_text(const FaultEvent& event);
/// The event as a row with the columns of fault_events_head().
TableHead fault_events_head();
std::vector<Cell> fault_event_cells(const FaultEvent& event, const ThrashLimits& limits);

/// A summary in one line.
std::string faults_summary(const FaultSeries& series);
/// The summary, then the events with their times, one per line.
std::vector<std::string> faults_text(const FaultSeries& series);
/// One row per process with faults, at most `max_rows`; a note has the number of the others.
Table faults_table(const FaultSeries& series,
                   std::size_t max_rows = std::numeric_limits<std::size_t>::max());
Table fault_windows_table(const FaultSeries& series);
Table fault_events_table(const FaultSeries& series);
/// Pages of executable units that were lost and returned.
Table fault_units_table(const std::vector<UnitReuseRow>& units);
Series faults_picture(const FaultSeries& series, const View& view);

}  // namespace physmem
