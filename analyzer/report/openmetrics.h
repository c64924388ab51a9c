// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <vector>

#include "analyzer/shape/metrics.h"

namespace physmem {

/// Writes OpenMetrics text 1.0, including # EOF. Without counters, it is the text format of
/// Prometheus (node_exporter's textfile collector) as well.
void write_openmetrics(const std::vector<MetricFamily>& families, std::ostream& out);

}  // namespace physmem
