// SPDX-License-Identifier: MIT
// Memory of processes over a series: --over-time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/time/use_history.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/use_shape.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Which measure a column of --sort stands for. Nothing: it is no size.
std::optional<UseMeasure> measure_of(UseColumn column);

/// "PSS in 87 snapshots from 2026-11-21 12:23:09 CET to 12:24:35 …", and what the digits mean.
std::vector<std::string> use_history_lines(const UseHistory& history, const View& view);
/// A row for each process or group, the highest first, the rest and the total. The course of each
/// is drawn in digits, of at most `width` columns.
Table use_history_text(const UseHistory& history, const UseView& use, std::size_t width);
/// A row for each snapshot and process.
Table use_history_table(const UseHistory& history, const UseView& use);
/// Lines of the highest, the others and the total.
Series use_history_chart(const UseHistory& history, const UseView& use, const View& view);

}  // namespace physmem
