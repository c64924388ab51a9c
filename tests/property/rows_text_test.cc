// SPDX-License-Identifier: MIT
// The text of a report is the report: read(text_of(r)) == r.
#include <gtest/gtest.h>

#include "fleet/rows/rows_text.h"
#include "fleet/rows/snapshot_reports.h"
#include "tests/property/snapshot_writing.h"
#include "tests/unit/snapshot_text.h"

namespace physmem::fleet {
namespace {

constexpr std::uint64_t kSnapshots = 200;

TEST(RowsOfRandomSnapshots, AreReadBack) {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + kSnapshots && !HasFailure();
       ++seed) {
    SCOPED_TRACE("PHYSMEM_PROPERTY_SEED=" + std::to_string(seed));
    const std::string snapshot = emitted(random_snapshot(seed));
    const auto source = text_source(snapshot);
    OpenAlerts alerts;
    const ReportSettings settings;
    SnapshotReports reports(*source, "random", "host", settings, alerts);
    const auto report = reports.next();
    ASSERT_TRUE(report) << report.error().text;
    ASSERT_TRUE(*report);
    const std::string text = std::string(kRowsMagic) + text_of(**report);
    PiecewiseSource pieces(text, 1 + seed % 100);
    RowsReader reader(pieces, "rows");
    const auto read = reader.next();
    ASSERT_TRUE(read) << read.error().text;
    EXPECT_EQ(**read, **report);
    const auto end = reader.next();
    EXPECT_TRUE(end && !*end);
  }
}

}  // namespace
}  // namespace physmem::fleet
