// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/shape/metrics.h"
#include "paging/fold/paging_totals.h"

namespace physmem {

/// By name of process, not by pid, and the rest as `other`: a monitoring system keeps every label
/// it has ever seen.
inline constexpr std::size_t kMetricProcesses = 20;

std::vector<MetricFamily> paging_metrics(const PagingTotals& totals);

}  // namespace physmem
