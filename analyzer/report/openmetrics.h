// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <vector>

#include "analyzer/shape/metrics.h"

namespace physmem {

/// OpenMetrics text 1.0, to its # EOF.
void write_openmetrics(const std::vector<MetricFamily>& families, std::ostream& out);

}  // namespace physmem
