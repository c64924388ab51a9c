// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/shape/metrics.h"
#include "paging/fold/paging_totals.h"

namespace physmem {

/// Samples are labelled by command, not by pid, and the remaining names become `other`. A
/// monitoring system keeps every label that it has ever seen.
inline constexpr std::size_t kMetricProcesses = 20;

std::vector<MetricFamily> paging_metrics(const PagingTotals& totals);

}  // namespace physmem
