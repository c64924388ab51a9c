// SPDX-License-Identifier: MIT
// One table over many snapshots.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/many/fleet_digest.h"
#include "analyzer/analyze/many/ram_digest.h"
#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Adds columns for host and time in front of a snapshot's table. With `is_full`, also the file and
/// its page size.
Table of_host(Table table, const std::string& host, const View& view);

/// Appends to the table of --totals a column with the number of alerts per unit. Rows of `table`
/// correspond to `rows`.
void add_alerts_column(Table& table, const std::vector<UnitTotalsRow>& rows, const Alerts& alerts);

Table digest_table(const FleetDigest& digest);

/// fleet-classes and fleet-owners: the whole of RAM.
Table fleet_classes_table(const RamDigest& digest);
Table fleet_owners_table(const RamDigest& digest);

}  // namespace physmem
