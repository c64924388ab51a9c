// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_rows.h"

#include <gtest/gtest.h>

namespace physmem::fleet {
namespace {

Report report() {
  Report report;
  report.snapshot.key = "abc";
  report.snapshot.machine = "abc";
  report.snapshot.host = "a\\011b";
  report.snapshot.time_ns = 1795737599'012'345'678;
  report.snapshot.sequence = 7;
  report.of(FactTable::kUnits) = {{{"/lib/x\t'"}, {1, 2, {}, 4, 5, 6, 7, 8}}};
  return report;
}

TEST(ClickhouseRows, OfFacts) {
  const Report one = report();
  const Report* const reports[]{&one};
  const ClickhouseRows rows = fact_rows(FactTable::kUnits, reports);
  EXPECT_EQ(rows.table, "units");
  EXPECT_EQ(rows.columns,
            "machine_hash, time, millisecond, unit, text, data, bss, processes, uss, pss, rss, "
            "alerts");
  EXPECT_EQ(rows.rows,
            "4596069200710135518\t2026-11-26 23:59:59\t12\t/lib/x\\t\\'\t1\t2\t\\N\t4\t5\t6\t7\t"
            "8\n");
  EXPECT_EQ(fact_rows(FactTable::kLeaks, reports).rows, "");
}

TEST(ClickhouseRows, OfMachinesAndSnapshots) {
  const Report one = report();
  const Report* const reports[]{&one, &one};
  EXPECT_EQ(machine_rows(reports).rows, "4596069200710135518\tabc\n");
  const ClickhouseRows rows = snapshot_rows({reports, 1});
  EXPECT_EQ(rows.columns.substr(0, 60),
            "machine_hash, time, millisecond, key_hash, key, machine, hos");
  EXPECT_EQ(rows.rows,
            "4596069200710135518\t2026-11-26 23:59:59\t12\t4596069200710135518\tabc\tabc\t"
            "a\\\\011b\t\t\t\t\t\t\t1795737599012345678\t\\N\t7\t4096\t\\N\t1\t0\t0\n");
}

TEST(PartitionOf, IsTheDayInUtc) {
  EXPECT_EQ(partition_of(0), 19700101U);
  EXPECT_EQ(partition_of(1795737599), 20261126U);
  EXPECT_EQ(partition_of(1795737600), 20261127U);
}

}  // namespace
}  // namespace physmem::fleet
