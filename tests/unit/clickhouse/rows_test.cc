// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_rows.h"

#include <array>

#include <gmock/gmock.h>

#include "fleet/store/clickhouse_batch.h"

namespace physmem::fleet {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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
  const ClickhouseTable table = fact_table(FactTable::kUnits);
  EXPECT_EQ(table.name, "units");
  EXPECT_EQ(table.columns,
            "machine_hash, time, millisecond, unit, text, data, bss, processes, uss, pss, rss, "
            "alerts");
  EXPECT_EQ(table.format, "RowBinary");
  std::string rows;
  append_key(rows, {0x1122334455667788, 0x01020304, 0x0506});
  EXPECT_EQ(rows, "\x88\x77\x66\x55\x44\x33\x22\x11\x04\x03\x02\x01\x06\x05");
}

TEST(ClickhouseRows, HaveTextsAfterTheirLength) {
  std::string rows;
  append_text(rows, "ab");
  EXPECT_EQ(rows, std::string("\x02") + "ab");
  rows.clear();
  append_text(rows, std::string(300, 'x'));
  EXPECT_EQ(rows, "\xac\x02" + std::string(300, 'x'));
}

TEST(ClickhouseRows, HaveNumbersOrNull) {
  std::string rows;
  append_number(rows, 258);
  append_number(rows, {});
  EXPECT_EQ(rows, std::string("\0\2\1\0\0\0\0\0\0\1", 10));
}

TEST(ClickhouseRows, OfMachinesAndSnapshots) {
  EXPECT_EQ(machine_rows({"abc"}), "4596069200710135518\tabc\n");
  EXPECT_EQ(snapshot_table().columns.substr(0, 60),
            "machine_hash, time, millisecond, key_hash, key, machine, hos");
  SnapshotLine line = report().snapshot;
  line.key = "410a7f";
  EXPECT_EQ(snapshot_line(line),
            "4596069200710135518\t2026-11-26 23:59:59\t12\t7983539896213596477\tA\\n\x7f\tabc\t"
            "a\\\\011b\t\t\t\t\t\t\t1795737599012345678\t\\N\t7\t4096\t\\N\t1\t0\t0\n");
}

/// All of them, and the same again.
std::string text_of(RowSource& source) {
  std::array<std::string, 2> texts;
  for (std::string& text : texts) {
    source.restart();
    for (std::string_view rows = source.next(); !rows.empty(); rows = source.next()) text += rows;
  }
  EXPECT_EQ(texts[0], texts[1]);
  return texts[0];
}

/// "TABLE ROWS-BYTES" of each insertion.
std::vector<std::string> sent(const ClickhouseBatch& batch) {
  std::vector<std::string> sent;
  const Status status = batch.for_each([&](const ClickhouseTable& table, RowSource& source) {
    const std::size_t bytes = text_of(source).size();
    if (bytes != 0) sent.push_back(table.name + " " + std::to_string(bytes));
    return Status();
  });
  EXPECT_TRUE(status);
  return sent;
}

std::string whole(const ClickhouseBatch& batch, const std::string& table) {
  std::string all;
  static_cast<void>(batch.for_each([&](const ClickhouseTable& to, RowSource& rows) {
    if (to.name == table) all += text_of(rows);
    return Status();
  }));
  return all;
}

TEST(ClickhouseBatch, SendsADayAtATimeAndItsSnapshotsLast) {
  ClickhouseBatch batch;
  Report one = report(), other = report();
  other.snapshot.key = "other";
  other.snapshot.time_ns -= 86400'000'000'000;
  other.of(FactTable::kCounters) = {{{"vm.x"}, {7}}};
  batch.add(one);
  batch.add(other);
  constexpr std::size_t kUnit = 14 + 9 + 7 * 9 + 1, kCounter = 14 + 5 + 9;
  const std::string unit = "units " + std::to_string(kUnit);
  EXPECT_THAT(sent(batch),
              ElementsAre("machines 24", unit, "counters " + std::to_string(kCounter),
                          "snapshots " + std::to_string(snapshot_line(other.snapshot).size()), unit,
                          "snapshots " + std::to_string(snapshot_line(one.snapshot).size())));
}

TEST(ClickhouseBatch, RestoresWhatItPacked) {
  ClickhouseBatch batch;
  std::string expected;
  constexpr std::uint64_t kMany = 500;  // in several pieces
  for (std::uint64_t i = 0; i < kMany; ++i) {
    Report one = report();
    one.snapshot.key = std::to_string(i);
    one.snapshot.time_ns += i * 1'000'000;
    const std::optional<std::uint64_t> numbers[]{i * i, kMaxNumber, {}, 0, 1, 127, 128, i};
    one.of(FactTable::kUnits) = {{{"/lib/" + std::to_string(i % 7)}, {}}};
    auto& to = one.of(FactTable::kUnits)[0].numbers;
    to.resize(std::size(numbers));
    std::copy(std::begin(numbers), std::end(numbers), to.begin());
    batch.add(one);
    append_key(expected, key_of(one.snapshot));
    append_text(expected, one.of(FactTable::kUnits)[0].texts[0]);
    for (const auto& number : numbers) append_number(expected, number);
  }
  EXPECT_EQ(batch.rows(), kMany);
  EXPECT_EQ(whole(batch, "units"), expected);
}

TEST(ClickhouseBatch, LeavesOutKnownAndReplacedReports) {
  ClickhouseBatch batch;
  for (const std::uint64_t text : {1, 2, 3}) {
    Report one = report();
    if (text == 2) one.snapshot.key = "second";
    one.of(FactTable::kUnits)[0].numbers[0] = text;
    batch.add(one);
  }
  EXPECT_THAT(batch.keys(), ElementsAre("abc", "second", "abc"));
  ClickhouseBatch replaced = batch;
  std::set<std::string> known{"second"}, sent;
  EXPECT_EQ(batch.leave_out(known), 2U);
  EXPECT_EQ(whole(batch, "units")[24], 1);
  EXPECT_EQ(whole(batch, "units").size(), 14U + 9 + 7 * 9 + 1);
  EXPECT_EQ(replaced.places().size(), 3U);
  replaced.leave_out_replaced(sent);
  EXPECT_EQ(whole(replaced, "units")[24], 3);
  EXPECT_THAT(sent, ElementsAre("abc"));
  EXPECT_TRUE(replaced.sends(replaced.places()[0]));
  EXPECT_FALSE(replaced.sends({}));
}

TEST(ClickhouseBatch, LeavesOutWhatAnotherBatchHas) {
  ClickhouseBatch first, second;
  first.add(report());
  second.add(report());
  std::set<std::string> known;
  EXPECT_EQ(first.leave_out(known), 0U);
  EXPECT_EQ(second.leave_out(known), 1U);
}

TEST(ClickhouseBatch, KeepsTheLastReportOfAMachineAndMillisecond) {
  ClickhouseBatch batch;
  for (const std::string key : {"first", "second", "later"}) {
    Report one = report();
    one.snapshot.key = one.snapshot.host = key;
    one.snapshot.time_ns += key == "later" ? 1'000'000 : 0;
    batch.add(one);
  }
  std::set<std::string> known, sent;
  EXPECT_EQ(batch.leave_out(known), 0U);
  batch.leave_out_replaced(sent);
  EXPECT_THAT(whole(batch, "snapshots"), AllOf(HasSubstr("second"), Not(HasSubstr("first"))));
}

TEST(PartitionOf, IsTheDayInUtc) {
  EXPECT_EQ(partition_of(0), 19700101U);
  EXPECT_EQ(partition_of(1795737599), 20261126U);
  EXPECT_EQ(partition_of(1795737600), 20261127U);
}

}  // namespace
}  // namespace physmem::fleet
