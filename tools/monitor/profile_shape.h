// SPDX-License-Identifier: MIT
// Profiles as diagrams.
#pragma once

#include <string>
#include <vector>

#include "analyzer/shape/shapes.h"
#include "program/result.h"
#include "tools/monitor/profile_text.h"

namespace physmem::monitor {

/// Minor and major faults since each profile's first sample, over time. Requires profiles with a
/// clock.
Series faults_over_time(const std::vector<LabelledProfile>& profiles, const std::string& title);

/// CPU utilisation and completion time over N, the number in each label. Requires profiles with a
/// clock.
Result<Series> utilisation_by_number(const std::vector<LabelledProfile>& profiles,
                                     const std::string& title);

}  // namespace physmem::monitor
