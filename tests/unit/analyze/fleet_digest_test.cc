// SPDX-License-Identifier: MIT
#include "analyzer/analyze/many/fleet_digest.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "analyzer/analyze/many/ram_digest.h"

namespace physmem {
namespace {

struct Snapshot {
  const char* host;
  std::optional<std::uint64_t> time_ns;
  std::uint64_t page_bytes = 4096;
  bool has_pages = true;
  std::string machine_id = {};
};

UnitTotalsRow unit(const std::string& name, std::uint64_t text, std::uint64_t inode = 1) {
  UnitTotalsRow row;
  row.unit = name;
  row.key = {{0, inode}, name};
  row.physical.text = text;
  return row;
}

/// Adds snapshots of several machines to one digest.
class FleetDigestTest : public testing::Test {
 protected:
  void add(const Snapshot& snapshot, const std::vector<UnitTotalsRow>& units) {
    Header header;
    header.time_ns = snapshot.time_ns;
    header.page_size.bytes = snapshot.page_bytes;
    header.has_pages = snapshot.has_pages;
    header.machine_id = snapshot.machine_id;
    digest_.add(header, snapshot.host, units, Alerts());
  }
  /// One line per unit: "unit hosts/snapshots min mean max host, fleet; first-last", in KiB.
  std::string text() const {
    std::string lines;
    for (const UnitDigestRow& row : digest_.rows()) {
      lines += fmt::format("{} {}/{}", row.unit, row.hosts, row.snapshots);
      if (row.sizes)
        lines +=
            fmt::format(" {} {:.2f} {} {}, {:.2f}", row.sizes->min / 1024, row.sizes->mean / 1024,
                        row.sizes->max / 1024, row.sizes->max_host, row.sizes->fleet / 1024);
      lines +=
          fmt::format("; {}-{}\n", row.seen.first_ns.value_or(0), row.seen.last_ns.value_or(0));
    }
    return lines;
  }

  FleetDigest digest_;
};

TEST_F(FleetDigestTest, DividesSumsAbove64Bits) {
  constexpr std::uint64_t kSize = std::uint64_t{1} << 52, kSnapshots = 1024;
  const auto unit = digest_.number_of("libc");
  for (const char* const machine : {"a", "b", "c", "d", "e"})
    digest_.add_unit(unit, digest_.add_machine(machine, machine, kSnapshots, {}),
                     {.snapshots = kSnapshots,
                      .sized = kSnapshots,
                      .bytes = kSize * kSnapshots,
                      .min = kSize,
                      .max = kSize,
                      .seen = {},
                      .alerts = 0});
  const auto rows = digest_.rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].sizes->mean, static_cast<double>(kSize));
  EXPECT_EQ(rows[0].sizes->fleet, 5 * static_cast<double>(kSize));
}

TEST_F(FleetDigestTest, SumsMeansPerHostOverHosts) {
  add({"a", 10}, {unit("libc", 10)});
  add({"a", 30}, {unit("libc", 20)});
  add({"b", 20}, {unit("libc", 5)});
  EXPECT_EQ(text(), "libc 2/3 20 46.67 80 a, 80.00; 10-30\n")
      << "(40 + 80) / 2 on a and 20 on b are 80 KiB at one time";
  EXPECT_EQ(digest_.snapshots(), 3u);
  EXPECT_EQ(digest_.hosts(), 2u);
  EXPECT_EQ(digest_.span().first_ns, 10u);
  EXPECT_EQ(digest_.span().last_ns, 30u);
}

TEST_F(FleetDigestTest, ConvertsPagesByPageSizeOfEachSnapshot) {
  add({"x86", 1, 4096}, {unit("libc", 10)});
  add({"ppc", 2, 65536}, {unit("libc", 2)});
  EXPECT_EQ(text(), "libc 2/2 40 84.00 128 ppc, 168.00; 1-2\n");
}

TEST_F(FleetDigestTest, MergesFilesWithSamePathInOneSnapshot) {
  add({"a", 1}, {unit("libc", 10, 1), unit("libc", 4, 2)});
  EXPECT_EQ(text(), "libc 1/1 56 56.00 56 a, 56.00; 1-1\n");
}

TEST_F(FleetDigestTest, SortsByTotalSizeOverFleet) {
  add({"a", 1}, {unit("large", 30), unit("wide", 20)});
  add({"b", 1}, {unit("wide", 20)});
  EXPECT_EQ(text(),
            "wide 2/2 80 80.00 80 a, 160.00; 1-1\nlarge 1/1 120 120.00 120 a, 120.00; 1-1\n");
}

TEST_F(FleetDigestTest, OmitsUnknownSizes) {
  add({"a", {}, 4096, false}, {unit("libc", 0)});
  EXPECT_EQ(text(), "libc 1/1; 0-0\n");
  add({"b", 5}, {unit("libc", 3)});
  EXPECT_EQ(text(), "libc 2/2 12 12.00 12 b, 12.00; 5-5\n");
}

TEST_F(FleetDigestTest, CountsTwoMachinesOfOneNameAsTwo) {
  add({"a", 1, 4096, true, "1111"}, {unit("libc", 10)});
  add({"a", 2, 4096, true, "2222"}, {unit("libc", 20)});
  EXPECT_EQ(text(), "libc 2/2 40 60.00 80 a, 120.00; 1-2\n");
}

TEST_F(FleetDigestTest, CountsARenamedMachineAsOneByItsLatestName) {
  add({"new", 2, 4096, true, "1111"}, {unit("libc", 20)});
  add({"old", 1, 4096, true, "1111"}, {unit("libc", 10)});
  EXPECT_EQ(text(), "libc 1/2 40 60.00 80 new, 60.00; 1-2\n");
}

TEST(RamDigest, DividesSumsAbove64Bits) {
  constexpr std::uint64_t kSize = std::uint64_t{1} << 52, kSnapshots = 1024;
  RamDigest digest;
  for (const char* const machine : {"a", "b", "c", "d", "e"})
    digest.add_class("free", digest.add_machine(machine, machine, kSnapshots, {}),
                     {kSnapshots, kSize * kSnapshots, kSize, kSize});
  const auto classes = digest.classes();
  ASSERT_EQ(classes.size(), 1U);
  EXPECT_EQ(classes[0].mean, static_cast<double>(kSize));
}

}  // namespace
}  // namespace physmem
