// SPDX-License-Identifier: MIT
// Rows of analyses as facts.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/time/leak_search.h"
#include "fleet/model/report.h"
#include "fleet/rows/report_folds.h"

namespace physmem::fleet {

/// The properties of a snapshot, without its key.
SnapshotLine snapshot_line(const Header& header, const std::string& host);

void add_units(Report& report, const Header& header, const UnitTotals& units, const Alerts& alerts);
void add_regions(Report& report, const Header& header, const RegionUse& regions);
void add_counters(Report& report, const ChosenCounters& counters);
void add_names(Report& report, const Header& header, const NameUses& names, std::size_t top);
void add_ram(Report& report, const Ledger& ledger);
void add_leaks(Report& report, const LeakSearch& search);

}  // namespace physmem::fleet
