// SPDX-License-Identifier: MIT
// Converts a benchmark run to a table and charts.
#pragma once

#include <string>

#include "analyzer/shape/shapes.h"
#include "tests/bench/report/bench_run.h"

namespace physmem::bench {

/// One row per goal, then the notes, and how many goals were met.
Table goals_table(const BenchRun& run);

/// "3 of 5 goals met, 1 missed, 1 not measured"
std::string result_line(const BenchRun& run);

Series chart_series(const Chart& chart, const BenchRun& run);

}  // namespace physmem::bench
