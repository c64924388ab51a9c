// SPDX-License-Identifier: MIT
// A run of the benchmark as a table and as charts.
#pragma once

#include <string>

#include "analyzer/shape/shapes.h"
#include "tests/bench/report/bench_run.h"

namespace physmem::bench {

/// A row a goal; below it the notes, and how many goals were met.
Table goals_table(const BenchRun& run);

/// "3 of 5 goals met, 1 missed, 1 not measured"
std::string result_line(const BenchRun& run);

Series chart_series(const Chart& chart, const BenchRun& run);

}  // namespace physmem::bench
