// SPDX-License-Identifier: MIT
// Answers as pictures: the first rows of their tables as bars, and trends as lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analyze/many/fleet_digest.h"
#include "analyzer/shape/shapes.h"
#include "fleet/ask/fleet_tables.h"

namespace physmem::fleet {

Series trend_series(const std::vector<TrendRow>& rows, const std::string& subject);
/// The `top` units that cost most.
BarChart units_chart(const FleetDigest& digest, std::size_t top);
/// RAM of the first `top` hosts. Hosts that do not report it are left out.
BarChart hosts_chart(const std::vector<HostRow>& rows, std::size_t top);
/// The `top` largest differences, as a bar before and a bar after.
BarChart changes_chart(const std::vector<ChangeRow>& rows, const FleetDigest& before,
                       const FleetDigest& after, std::size_t top);
/// Growth of the first `top` series that grow.
BarChart leaks_chart(const GrowthRows& growth, std::size_t top);

}  // namespace physmem::fleet
