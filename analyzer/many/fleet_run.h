// SPDX-License-Identifier: MIT
// One answer for many snapshots: physmem-analyze with a directory or --fleet.
#pragma once

#include <iosfwd>

#include "analyzer/input/options.h"
#include "analyzer/many/fleet_report.h"
#include "program/exit.h"

namespace physmem {

/// Reads files in parallel and answers in their order, so the result does not depend on the number
/// of threads. A file that cannot be read is reported and left out. A signal ends the reading; the
/// answer then contains the complete snapshots. `natural`: see FleetReport.
Exit run_fleet(const Options& options, std::ostream& messages);

}  // namespace physmem
