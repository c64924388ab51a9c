// SPDX-License-Identifier: MIT
// Snapshots as reports, and reports as text.
#include <gmock/gmock.h>

#include "fleet/rows/machine_state.h"
#include "fleet/rows/name_text.h"
#include "tests/unit/fleet/fleet_reports.h"
#include "tests/unit/whole_source.h"

namespace physmem::fleet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::UnorderedElementsAre;

TEST(EscapedName, ReplacesWhatIsNotPrintable) {
  EXPECT_EQ(escaped_name("a\tb\nc\\d"), "a\\011b\\012c\\134d");
  EXPECT_EQ(escaped_name("\xFF\xC3"), "\\377\\303");
  EXPECT_EQ(escaped_name("ä'\";--"), "ä'\";--");
}

TEST(EscapedName, IsUndoneForAllBytes) {
  std::string name;
  for (int byte = 1; byte < 256; ++byte) name += static_cast<char>(byte);
  EXPECT_EQ(unescaped_name(escaped_name(name)), name);
  EXPECT_TRUE(is_escaped_name(escaped_name(name)));
  EXPECT_FALSE(is_escaped_name("\\x"));
  EXPECT_FALSE(is_escaped_name("\\101")) << "A has no escape";
}

TEST(SnapshotReportsOf, HaveUnitsInBytes) {
  const Reading reading = reports_of(std::string(kSample));
  ASSERT_THAT(reading.reports, SizeIs(1)) << reading.error;
  const Report& report = reading.reports[0];
  EXPECT_EQ(report.of(FactTable::kUnits),
            (std::vector<Fact>{{{"/usr/bin/cat"}, {8192, 0, 0, 1, 0, 4096, 8192, 0}}}));
  EXPECT_EQ(report.snapshot.machine, "name:by-path");
  EXPECT_EQ(report.snapshot.ram_bytes, std::uint64_t{6160384} * 4096);
}

TEST(SnapshotReportsOf, HaveProcessesByNameAndGroup) {
  const Reading reading = reports_of(std::string(kSample));
  EXPECT_EQ(
      reading.reports.at(0).of(FactTable::kNames),
      (std::vector<Fact>{{{"cat", "/user.slice"}, {1, 4096, 8192, 12288, 4096, 12288, 92, 0}}}));
}

TEST(SnapshotReportsOf, HaveCountersInBytes) {
  const Reading reading = reports_of(std::string(kSample));
  EXPECT_THAT(
      reading.reports.at(0).of(FactTable::kCounters),
      UnorderedElementsAre(Fact{{"mem.MemTotal"}, {std::uint64_t{24641536} * 1024}},
                           Fact{{"psi.memory.some_us"}, {0}}, Fact{{"vm.pgfault"}, {1203344}},
                           Fact{{"vm.pgmajfault"}, {160}}));
}

TEST(SnapshotReportsOf, HaveOneKeyMappedAndInPieces) {
  const std::string series = sample_at(0) + sample_at(5);
  const std::vector<Report> whole = reports_of(series).reports;
  ASSERT_THAT(whole, SizeIs(2));
  EXPECT_NE(whole[0].snapshot.key, whole[1].snapshot.key);
  EXPECT_EQ(whole[0].snapshot.key, reports_of(sample_at(0)).reports.at(0).snapshot.key);
  EXPECT_EQ(whole[1].snapshot.key, reports_of(sample_at(5)).reports.at(0).snapshot.key);
  OpenAlerts alerts;
  PiecewiseSource pieces(series, 7);
  WholeSource mapped(series);
  EXPECT_EQ(reports_of(pieces, alerts).reports, whole);
  EXPECT_EQ(reports_of(mapped, alerts).reports, whole);
}

TEST(SnapshotReportsOf, RejectsASnapshotWithoutTime) {
  const Reading reading = reports_of(kVersion1);
  EXPECT_THAT(reading.error, HasSubstr("has no time"));
  EXPECT_THAT(reading.reports, SizeIs(0));
}

TEST(SnapshotReportsOf, KeepsWhatComesBeforeDamage) {
  const Reading reading = reports_of(sample_at(0) + sample_at(5).substr(0, 700));
  EXPECT_THAT(reading.reports, SizeIs(1));
  EXPECT_THAT(reading.error, HasSubstr("cut short"));
}

Report of_machine(const std::string& machine) {
  Report report;
  report.snapshot.machine = machine;
  return report;
}

TEST(OpenAlertsOf, AreOpenedAndClosedOnce) {
  OpenAlerts open;
  const AlertKey a{"u", "p", "private_text"}, b{"v", "p", "private_text"};
  std::uint64_t time = 0;
  const auto changes = [&](const std::string& machine, const std::set<AlertKey>& now) {
    Report report = of_machine(machine);
    report.snapshot.time_ns = ++time;
    open.add_changes(report, now);
    return report.of(FactTable::kAlerts);
  };
  EXPECT_THAT(changes("1", {a}), UnorderedElementsAre(Fact{{"u", "p", "private_text"}, {1}}));
  EXPECT_THAT(changes("1", {a}), SizeIs(0));
  EXPECT_THAT(changes("2", {a}), SizeIs(1)) << "of another machine";
  EXPECT_THAT(changes("1", {b}), UnorderedElementsAre(Fact{{"v", "p", "private_text"}, {1}},
                                                      Fact{{"u", "p", "private_text"}, {0}}));
}

TEST(SnapshotReportsOf, TasksWithoutAreasDoNotCloseAlerts) {
  OpenAlerts open;
  const std::set<AlertKey> alerts{{"u", "p", "private_text"}};
  open.set("name:by-path", alerts);
  const std::string text = with(std::string(kHeaderLine), "time_ns=0", "time_ns=1") +
                           std::string(kTaskLine) + "E: 1, 0, 0, 0, 0\n";
  const auto tasks = text_source(text);
  const Reading reading = reports_of(*tasks, open);
  ASSERT_THAT(reading.reports, SizeIs(1)) << reading.error;
  EXPECT_EQ(reading.reports[0].snapshot.machine, "name:by-path");
  EXPECT_THAT(reading.reports[0].of(FactTable::kAlerts), SizeIs(0));
  EXPECT_EQ(open.of("name:by-path"), alerts);
}

TEST(OpenAlertsOf, SnapshotsThatAreReadAgainAreTheSame) {
  OpenAlerts open;
  const AlertKey a{"u", "p", "private_text"};
  const auto read_series = [&] {
    std::vector<std::size_t> changes;
    for (const auto& [time, now] : {std::pair(5, std::set{a}), std::pair(6, std::set{a}),
                                    std::pair(7, std::set<AlertKey>())}) {
      Report report = of_machine("1");
      report.snapshot.time_ns = static_cast<std::uint64_t>(time);
      Report again = report;
      open.add_changes(report, now);
      open.add_changes(again, now);
      EXPECT_EQ(again.of(FactTable::kAlerts), report.of(FactTable::kAlerts));
      changes.push_back(report.of(FactTable::kAlerts).size());
    }
    return changes;
  };
  EXPECT_THAT(read_series(), ElementsAre(1, 0, 1));
  EXPECT_THAT(read_series(), ElementsAre(1, 0, 1));
}

TEST(MachineStateOf, NumbersReportsOfABoot) {
  MachineState state;
  SnapshotLine line;
  line.machine = "m";
  line.boot = "1";
  state.number(line);
  EXPECT_EQ(line.sequence, 0U);
  line.sequence.reset();
  state.number(line);
  EXPECT_EQ(line.sequence, 1U);
  line.sequence.reset();
  line.boot = "2";
  state.number(line);
  EXPECT_EQ(line.sequence, 0U) << "another boot";
}

TEST(MachineStateOf, IsReadAgain) {
  const TemporaryFolder folder;
  MachineState state{"m", "b", 7, {{"u\\011", "p", "private_text"}}};
  ASSERT_TRUE(state.write(folder.path("state")));
  const auto read = MachineState::read(folder.path("state"));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->next, 7U);
  EXPECT_EQ(read->alerts, state.alerts);
  EXPECT_TRUE(MachineState::read(folder.path("none")));
  EXPECT_FALSE(MachineState::read(folder.put("wrong", "physmem-fleet-state 1\nx\n")));
}

/// Reads reports from text: their number, then the error.
std::string read_rows(const std::string& text) {
  const auto source = text_source(text);
  RowsReader reader(*source, "r");
  for (int n = 0;; ++n) {
    auto report = reader.next();
    if (!report) return std::to_string(n) + " " + report.error().text;
    if (!*report) return std::to_string(n);
  }
}

class RowsText : public testing::Test {
 protected:
  const std::string text_ = text_of(unit_report("m", 0, 4));
  const std::string magic_{kRowsMagic};
};

TEST_F(RowsText, IsReadBack) {
  const Report report = reports_of(std::string(kSample)).reports.at(0);
  const std::string text = magic_ + text_of(report);
  PiecewiseSource source(text, 5);
  RowsReader reader(source, "r");
  const auto read = reader.next();
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(**read, report);
}

TEST_F(RowsText, MayBePutTogether) {
  EXPECT_EQ(read_rows(magic_ + text_ + magic_ + text_), "2");
  EXPECT_EQ(read_rows(magic_), "0");
}

TEST_F(RowsText, CutAnywhereIsAnError) {
  const std::string text = magic_ + text_;
  for (std::size_t size = 0; size < text.size(); ++size) {
    if (size == 0 || size == magic_.size()) continue;  // no report, whole
    EXPECT_THAT(read_rows(text.substr(0, size)), HasSubstr("0 r:")) << size;
  }
}

TEST_F(RowsText, ErrorsHaveALine) {
  const auto error = [&](const std::string& old_text, const std::string& new_text) {
    return read_rows(magic_ + with(text_, old_text, new_text));
  };
  EXPECT_EQ(read_rows("physmem-fleet-rows 2\n"),
            "0 r:1: found \"physmem-fleet-rows 2\", expected physmem-fleet-rows 1");
  EXPECT_EQ(error("end\t1", "end\t2"),
            "0 r:4: found \"end\\0112\", expected end and 1, the number of rows");
  EXPECT_THAT(error("units\t", "unit\t"), HasSubstr("r:3: found \"unit\", expected a table"));
  EXPECT_THAT(error("\t4096\t0\t0\t1", "\t4096\t0\t1"),
              HasSubstr("r:3: found 9 fields, expected 10"));
  EXPECT_THAT(error("\t4096\t0\t0\t1", "\t-1\t0\t0\t1"),
              HasSubstr("r:3: found text of \"-1\", expected a number of at most 281474976710656, "
                        "or -"));
  EXPECT_THAT(error("\t4096\t0\t0\t1", "\t9223372036854775808\t0\t0\t1"), HasSubstr("r:3: found"));
  EXPECT_THAT(error("\t4096\t0\t0\t1", "\t04096\t0\t0\t1"), HasSubstr("r:3: found"));
  EXPECT_THAT(error("/lib/", "/lib\\/"), HasSubstr("expected control characters"));
  EXPECT_THAT(error("/lib/", "/lib\xFF/"), HasSubstr("expected control characters"));
  EXPECT_THAT(error("snapshot\taaaa", "snapshot\taaa"), HasSubstr("expected a key"));
  EXPECT_THAT(
      error("end\t1",
            text_.substr(text_.find("units"), text_.find("end") - text_.find("units")) + "end\t2"),
      HasSubstr("twice in units"));
}

TEST(RowsReaderOf, NumbersOfAtMostTheLimitOfTheirColumn) {
  const Report report = reports_of(sample_at(0)).reports.at(0);
  EXPECT_EQ(above_limit(report), "");
  for (std::size_t table = 0; table < kFactTables; ++table) {
    const FactColumns& columns = fact_tables()[table];
    ASSERT_EQ(columns.limits.size(), columns.numbers.size());
    for (std::size_t i = 0; i < columns.numbers.size(); ++i) {
      Report one = report;
      Fact fact;
      fact.texts.resize(columns.texts.size());
      fact.numbers.resize(columns.numbers.size());
      fact.numbers[i] = columns.limits[i];
      one.facts[table] = {fact};
      EXPECT_EQ(read_rows(std::string(kRowsMagic) + text_of(one)), "1") << columns.numbers[i];
      EXPECT_EQ(above_limit(one), "");
      one.facts[table][0].numbers[i] = columns.limits[i] + 1;
      EXPECT_THAT(read_rows(std::string(kRowsMagic) + text_of(one)),
                  HasSubstr(std::string(columns.numbers[i]) + " of \""));
      EXPECT_THAT(above_limit(one), HasSubstr(" in " + std::string(columns.name) + " of \"\""));
    }
  }
}

TEST(SnapshotReportsOf, SnapshotsWithPossibleSizesOnly) {
  const Reading crafted =
      reports_of(sample_at(0) + with(sample_at(5), "ram_pages=6160384", "ram_pages=68719476737") +
                 sample_at(9));
  EXPECT_EQ(crafted.reports.size(), 1U);
  EXPECT_EQ(crafted.error,
            "snap: snapshot with time_ns=1795219205000000000: found ram_bytes of "
            "281474976714752, expected at most 281474976710656");
}

TEST(SnapshotReportsOf, CountersBelow0AreUnknown) {
  std::string text = sample_at(0);
  text.insert(text.find('\n') + 1,
              "G: mem.Committed_AS_kB=18446744073709551612, mem.MemFree_kB=4\n");
  const Reading reading = reports_of(text);
  ASSERT_EQ(reading.error, "");
  std::string counters;
  for (const Fact& fact : reading.reports.at(0).of(FactTable::kCounters))
    counters +=
        fact.texts[0] + "=" + (fact.numbers[0] ? std::to_string(*fact.numbers[0]) : "-") + " ";
  EXPECT_THAT(counters, HasSubstr("mem.Committed_AS=- "));
  EXPECT_THAT(counters, HasSubstr("mem.MemFree=4096 "));
}

TEST(RowsReaderOf, ReportsOfAtMost4MiB) {
  Report report = reports_of(sample_at(0)).reports.at(0);
  for (int i = 0; i < 300; ++i)
    report.of(FactTable::kCounters)
        .push_back({{std::to_string(i) + std::string(16'000, 'x')}, {1}});
  const std::string text = std::string(kRowsMagic) + text_of(report);
  const auto source = text_source(text);
  RowsReader reader(*source, "r");
  const auto found = reader.next();
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text, HasSubstr("found a report of more than 4 MiB"));
}

}  // namespace
}  // namespace physmem::fleet
