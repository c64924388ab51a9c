// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <vector>

#include "analyzer/shape/metrics.h"

namespace physmem {

/// Writes OpenMetrics text 1.0, including # EOF. Without counters, it is the text format of
/// Prometheus (node_exporter's textfile collector) as well.
void write_openmetrics(const std::vector<MetricFamily>& families, std::ostream& out);

/// Writes the text format of Prometheus 0.0.4, in which TYPE and HELP have the name of the sample:
/// NAME_total for a counter.
void write_prometheus(const std::vector<MetricFamily>& families, std::ostream& out);

}  // namespace physmem
