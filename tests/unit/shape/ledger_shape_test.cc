// SPDX-License-Identifier: MIT
// The ledger as a line, rows that add up, and one bar.
#include "analyzer/shape/ledger_shape.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "analyzer/analyze/verify/ram_witness.h"
#include "analyzer/shape/owner_words.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

using testing::ElementsAre;

/// A ledger of these classes, with totals that explain some unmarked pages.
Ledger ledger_with(const std::vector<std::pair<FrameClass, std::uint64_t>>& classes,
                   std::uint64_t vmalloc = 0) {
  Ledger ledger;
  Header header;
  header.ram = Header::Ram::kAll;
  header.ram_by = "proc";
  ledger.on_header(header);
  const std::array<Counter, 2> totals{
      {{"ram.before.vmalloc", vmalloc}, {"ram.after.vmalloc", vmalloc}}};
  ledger.on_counters(totals);
  std::uint64_t next = 0;
  for (const auto& [use, pages] : classes) {
    ledger.on_ram({next, pages, use, 0, 0, 0, 0, 0});
    next += pages;
  }
  return ledger;
}

std::vector<std::string> rows_of(const Ledger& ledger) {
  std::vector<std::string> rows;
  const Table table = ledger_table(ledger);
  for (const auto& row : table.rows) {
    const auto* const use = std::get_if<Word>(&row[0]);
    rows.push_back(fmt::format("{} {}", use ? use->title : std::get<std::string>(row[0]),
                               std::get<std::uint64_t>(row[1])));
  }
  return rows;
}

TEST(LedgerTable, HasTheLargestClassFirstAndUnknownBeforeTheTotal) {
  EXPECT_THAT(
      rows_of(ledger_with(
          {{PM_RAM_HOLE, 1000}, {PM_RAM_UNKNOWN, 500}, {PM_RAM_SLAB, 20}, {PM_RAM_FREE, 30}})),
      ElementsAre("free 30", "slab caches 20", "unknown 500", "total 550"));
}

TEST(LedgerTable, DividesUnmarkedPagesIntoExplainedAndUnknownOnes) {
  EXPECT_THAT(rows_of(ledger_with({{PM_RAM_UNMARKED, 100}, {PM_RAM_FREE, 30}}, 70)),
              ElementsAre("vmalloc (by totals) 70", "free 30", "unknown 30", "total 130"));
}

TEST(LedgerTable, NeverExplainsMorePagesThanAreUnmarked) {
  EXPECT_THAT(rows_of(ledger_with({{PM_RAM_UNMARKED, 100}}, 170)),
              ElementsAre("vmalloc (by totals) 100", "total 100"));
}

RamOwner file(std::uint64_t id, std::uint64_t links, std::string name) {
  RamOwner owner;
  owner.id = id;
  owner.kind = RamOwner::Kind::kFile;
  owner.file_system = "ext4";
  owner.device = (std::uint64_t{254} << 32) | 1;
  owner.inode = 10 + id;
  owner.links = links;
  owner.name = std::move(name);
  return owner;
}

TEST(OwnersTable, HasTheLargestOwnerFirstAndMarksDeletedOnes) {
  Ledger ledger = ledger_with({});
  ledger.on_owner(file(1, 1, "/etc/passwd"));
  ledger.on_owner(file(2, 0, "/var/lib/old.db"));
  RamOwner group;
  group.id = 3;
  group.kind = RamOwner::Kind::kCgroup;
  group.number = 93;
  group.is_dying = true;
  group.name = "/backup";
  ledger.on_owner(group);
  ledger.on_ram({0, 1, PM_RAM_FILE, 1, 0, PM_PAGE_ACTIVE, 2, 0});
  ledger.on_ram({1, 40, PM_RAM_FILE, 2, 3, PM_PAGE_DIRTY, 0, 0});
  std::vector<std::string> rows;
  for (const auto& row : owners_table(ledger).rows)
    rows.push_back(fmt::format("{} {} {} {} {}: {}, {}, {}", std::get<std::string>(row[0]),
                               std::get<std::uint64_t>(row[1]), std::get<std::uint64_t>(row[2]),
                               std::get<std::uint64_t>(row[3]), std::get<std::uint64_t>(row[4]),
                               std::get<std::string>(row[5]), std::get<std::string>(row[6]),
                               std::get<std::string>(row[7])));
  EXPECT_THAT(rows, ElementsAre("file 40 0 40 0: ext4 254:1 12, deleted, /var/lib/old.db",
                                "cgroup 40 0 40 0: 93, dying, /backup",
                                "file 1 1 0 1: ext4 254:1 11, , /etc/passwd"));
}

std::string judged_line(const Ledger& ledger) {
  return ledger_line(ledger, ram_verdicts(ledger));
}

TEST(LedgerLine, HasTheSharesOfAllFrames) {
  EXPECT_EQ(judged_line(ledger_with({{PM_RAM_UNMARKED, 100}, {PM_RAM_FREE, 900}}, 80)),
            "3.9 MiB of RAM: 90.00 % with a class, 8.00 % explained by totals, 2.00 % "
            "unknown (80 KiB); 0 of 1 witnesses agree, 1 cannot be compared");
}

TEST(LedgerLine, StatesWhatTheTotalsExplainTooMuch) {
  Ledger ledger = ledger_with({{PM_RAM_UNMARKED, 100}, {PM_RAM_FREE, 900}}, 110);
  EXPECT_EQ(judged_line(ledger),
            "3.9 MiB of RAM: 90.00 % with a class, 10.00 % explained by totals, 0.00 "
            "% unknown (0 KiB); the totals explain 10 pages more than are unmarked: only 0 "
            "pages moved while frames were read, so a total or a class is wrong; 0 of 1 witnesses "
            "agree, 1 cannot be compared");
  ledger.on_counters(std::array<Counter, 1>{{{"ram.after.vmalloc", 130}}});
  EXPECT_THAT(judged_line(ledger),
              testing::HasSubstr("the totals explain 20 pages more than are unmarked: up to 20 "
                                 "pages moved while frames were read; "));
}

TEST(LedgerLine, SaysHowToGetFrames) {
  EXPECT_EQ(
      judged_line(Ledger()),
      "unknown, the snapshot has no frames of RAM; physmem-collect --ram, as root, records them");
}

TEST(LedgerChart, HasOneBarThatAddsUpToAllFrames) {
  std::vector<std::pair<FrameClass, std::uint64_t>> classes;
  for (int use = PM_RAM_RESERVED; use < PM_RAM_CLASS_COUNT; ++use)
    classes.emplace_back(static_cast<FrameClass>(use), 100 + static_cast<std::uint64_t>(use));
  const Ledger ledger = ledger_with(classes);
  const BarChart chart = ledger_chart(ledger, {});
  ASSERT_EQ(chart.groups.size(), 1u);
  const std::vector<std::uint64_t>& bar = chart.groups[0].bars.at(0);
  EXPECT_EQ(chart.series.size(), 12u);
  // One is "unmarked": there are no totals.
  EXPECT_EQ(chart.series[10], "16 other classes 6.8 MiB (56.4 %)");
  EXPECT_EQ(chart.series[11], "unknown 512 KiB (4.1 %)");
  EXPECT_EQ(std::accumulate(bar.begin(), bar.end(), std::uint64_t{0}), ledger.frames());
}

TEST(LedgerChart, ShowsFewClassesEach) {
  const BarChart chart = ledger_chart(ledger_with({{PM_RAM_FREE, 3}, {PM_RAM_ANON, 5}}), {});
  EXPECT_THAT(chart.series,
              ElementsAre("anonymous memory 20 KiB (62.5 %)", "free 12 KiB (37.5 %)"));
  EXPECT_THAT(chart.groups[0].bars, ElementsAre(ElementsAre(5, 3)));
}

TEST(LedgerChart, ShowsEachSmallClassInItsColour) {
  const BarChart chart = small_classes_chart(
      ledger_with({{PM_RAM_FREE, 90}, {PM_RAM_ANON, 5}, {PM_RAM_SLAB, 4}, {PM_RAM_PGTABLE, 1}}),
      {});
  ASSERT_EQ(chart.groups.size(), 2u) << "anonymous memory has 5 %";
  EXPECT_EQ(chart.groups[0].label, "slab caches");
  EXPECT_EQ(chart.groups[1].label, "page tables");
  EXPECT_THAT(chart.groups[1].bars, ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(chart.colours, ElementsAre(class_colour("slab"), class_colour("pgtable")));
}

}  // namespace
}  // namespace physmem
