// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/fault_series.h"
#include "analyzer/analyze/unit_reuse.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// "thrashing", and the figure it goes by in tables: "3". Recovering is "R", unknown is "-".
std::string_view name(Level level);
std::string_view figure(Level level);
std::string_view name(FaultState state);

/// What became what, and why, in words and numbers; without the time.
std::string event_sentence(const FaultEvent& event, const ThrashLimits& limits);
/// The same as a row; columns of fault_events_head().
TableHead fault_events_head();
std::vector<Cell> fault_event_cells(const FaultEvent& event, const ThrashLimits& limits);

/// What there was, in one line.
std::string faults_summary(const FaultSeries& series);
/// The same; then the events, one a line with their times.
std::vector<std::string> faults_text(const FaultSeries& series);
/// One row a process that had a fault.
Table faults_table(const FaultSeries& series);
Table fault_windows_table(const FaultSeries& series);
Table fault_events_table(const FaultSeries& series);
/// Pages of executable units that went and came back.
Table fault_units_table(const std::vector<UnitReuseRow>& units);
Series faults_picture(const FaultSeries& series, const View& view);

}  // namespace physmem
