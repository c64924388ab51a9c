// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <vector>

#include "analyzer/shape/metrics.h"

namespace physmem {

/// Writes OpenMetrics text 1.0, including # EOF.
void write_openmetrics(const std::vector<MetricFamily>& families, std::ostream& out);

}  // namespace physmem
