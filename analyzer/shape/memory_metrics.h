// SPDX-License-Identifier: MIT
// A snapshot as metrics. formats/report-columns.md describes them.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/memory_totals.h"
#include "analyzer/analyze/time/collection_cost.h"
#include "analyzer/analyze/time/thrash_detector.h"
#include "analyzer/shape/metrics.h"

namespace physmem {

struct MemoryMetricSources {
  const MemoryUses& names;  ///< by name
  const MemoryUses& cgroups;
  const MemoryUses& units;
  const Alerts& alerts;
  const Ledger& ledger;
  const MemoryTotals& totals;
  const CollectionCost& cost;
  Level thrash_level = Level::kUnknown;
};

/// All are gauges, because both text formats of Prometheus write a gauge in the same way. Families
/// without samples are left out. `top`: the number of names, cgroups and units, the largest
/// first. The others are added up as `other`: a monitoring system keeps every label that it has
/// seen.
std::vector<MetricFamily> memory_metrics(const MemoryMetricSources& sources, const Header& header,
                                         std::size_t top);

}  // namespace physmem
