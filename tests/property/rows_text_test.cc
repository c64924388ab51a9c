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

/// No report has the largest numbers of the format.
std::string possible_snapshot(std::uint64_t seed) {
  RandomSnapshot random = random_snapshot(seed);
  for (RandomTask& task : random.tasks)
    for (__u64* number : {&task.task.min_flt, &task.task.maj_flt, &task.task.group_min_flt,
                          &task.task.group_maj_flt})
      *number >>= 16;
  for (RandomOwner& owner : random.owners) owner.owner.bytes >>= 24;
  std::string snapshot = emitted(random);
  for (const char* const key : {"time_ns=", "sequence="})
    snapshot = with(snapshot, key + std::to_string(~std::uint64_t{0}), key + std::to_string(seed));
  return snapshot;
}

TEST(RowsOfRandomSnapshots, AreReadBack) {
  for (std::uint64_t seed = first_seed(); seed < first_seed() + kSnapshots && !HasFailure();
       ++seed) {
    SCOPED_TRACE("PHYSMEM_PROPERTY_SEED=" + std::to_string(seed));
    const std::string snapshot = possible_snapshot(seed);
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
