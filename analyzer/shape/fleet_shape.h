// SPDX-License-Identifier: MIT
// One table over many snapshots.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/alerts.h"
#include "analyzer/analyze/fleet_digest.h"
#include "analyzer/analyze/unit_totals.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// A question's table of one snapshot, with columns in front that say of which host and time it is;
/// with `is_full` also of which file, and how large its pages are.
Table of_host(Table table, const std::string& host, const View& view);

/// Another column behind those of --totals: how many alerts are of the unit. Rows of `table` are
/// those of `rows`.
void add_alerts_column(Table& table, const std::vector<UnitTotalsRow>& rows, const Alerts& alerts);

Table digest_table(const FleetDigest& digest);

}  // namespace physmem
