// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_rows.h"

#include <array>

#include <gmock/gmock.h>

#include "fleet/store/clickhouse_batch.h"
#include "fleet/store/clickhouse_block.h"
#include "fleet/store/clickhouse_sql.h"

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
            "machine_hash, time, millisecond, unit_hash, text, data, bss, processes, uss, pss, "
            "rss, alerts");
  EXPECT_EQ(table.format, "Native");
}

std::string bytes_of(FactBlock& block) {
  std::string bytes;
  for (const std::string_view part : block.parts()) bytes += part;
  return bytes;
}

TEST(FactBlock, HasColumnsOneAfterTheOther) {
  using namespace std::string_literals;
  FactBlock block(FactTable::kCounters);
  const std::string long_name(300, 'x');
  const std::optional<std::uint64_t> known = 258, unknown;
  block.add({0x1122334455667788, 0x01020304, 0x0506}, {{{"ab", 7}}}, {&known, 1});
  block.add({0, 1, 2}, {{{long_name, 7}}}, {&unknown, 1});
  EXPECT_EQ(block.rows(), 2U);
  EXPECT_EQ(bytes_of(block),
            "\5\2"
            "\14machine_hash\6UInt64"
            "\x88\x77\x66\x55\x44\x33\x22\x11\0\0\0\0\0\0\0\0"
            "\4time\17DateTime('UTC')\4\3\2\1\1\0\0\0"
            "\13millisecond\6UInt16\6\5\2\0"
            "\7counter\6String\2ab\xac\2"s +
                long_name + "\5value\20Nullable(UInt64)\0\1\2\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s);
  block.clear();
  EXPECT_EQ(block.rows(), 0U);
}

TEST(FactBlock, HasTheHashOfAUnit) {
  FactBlock block(FactTable::kAlerts);
  const std::optional<std::uint64_t> state = 1;
  const HashedText texts[]{{"/lib/x", 0x4847464544434241}, {"process", 1}, {"rule", 2}};
  block.add({0, 0, 0}, texts, {&state, 1});
  EXPECT_THAT(bytes_of(block), AllOf(HasSubstr("unit_hash\6UInt64ABCDEFGH"),
                                     HasSubstr("String\7process"), Not(HasSubstr("/lib/x"))));
}

TEST(ClickhouseRows, OfMachinesAndSnapshots) {
  std::string names;
  append_name(names, "abc");
  append_name(names, "a\tb");
  EXPECT_EQ(names, "4596069200710135518\tabc\n" + std::to_string(sip_hash("a\tb")) + "\ta\\tb\n");
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

/// The table of each insertion that has rows.
std::vector<std::string> sent(const ClickhouseBatch& batch) {
  std::vector<std::string> sent;
  const Status status = batch.for_each([&](const ClickhouseTable& table, RowSource& source) {
    if (!text_of(source).empty()) sent.push_back(table.name);
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
  EXPECT_THAT(sent(batch), ElementsAre("machines", "unit_names", "units", "counters", "snapshots",
                                       "units", "snapshots"));
  std::string name;
  append_name(name, "/lib/x\t'");
  EXPECT_EQ(whole(batch, "unit_names"), name);
  EXPECT_EQ(whole(batch, "snapshots"), snapshot_line(other.snapshot) + snapshot_line(one.snapshot));
}

TEST(ClickhouseBatch, RestoresWhatItPacked) {
  ClickhouseBatch batch;
  FactBlock expected(FactTable::kUnits);
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
    const std::string& unit = one.of(FactTable::kUnits)[0].texts[0];
    expected.add(key_of(one.snapshot), {{{unit, sip_hash(unit)}}}, numbers);
  }
  EXPECT_EQ(batch.rows(), kMany);
  EXPECT_EQ(whole(batch, "units"), bytes_of(expected));
}

/// The units of report() whose text has this size.
std::string block_of(std::uint64_t text) {
  const Report one = report();
  Fact fact = one.of(FactTable::kUnits)[0];
  fact.numbers[0] = text;
  FactBlock block(FactTable::kUnits);
  block.add(key_of(one.snapshot), {{{fact.texts[0], sip_hash(fact.texts[0])}}}, fact.numbers);
  return bytes_of(block);
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
  EXPECT_EQ(whole(batch, "units"), block_of(1));
  EXPECT_EQ(replaced.places().size(), 3U);
  replaced.leave_out_replaced(sent);
  EXPECT_EQ(whole(replaced, "units"), block_of(3));
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
