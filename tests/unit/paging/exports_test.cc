// SPDX-License-Identifier: MIT
// Export formats for other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "analyzer/report/perfetto_writer.h"
#include "paging/write/export_writers.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/trace_text.h"

namespace physmem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<TraceWriter> csv(std::ostream& out) {
  return csv_events_writer(out, {});
}

TEST(CsvEvents, HaveOneRowPerEvent) {
  EXPECT_EQ(converted(kTrace, csv),
            "sequence,time s,wall s,kind,cpu,pid,tgid,comm,address,frame,area,slot,sector,"
            "flags,service ns\n"
            "1,8.100200300,1763683208.100200300,out,2,371,371,work,0X7F10C2A00000,0X0001A2B3,0,"
            "0X00000010,"
            "0X00000080,io mapped,\n"
            "2,8.101200300,1763683208.101200300,in,0,371,371,work,0X7F10C2A00000,0X0001B000,0,"
            "0X00000010,"
            "0X00000080,io major,412000\n"
            "3,8.101201100,1763683208.101201100,in,0,371,371,work,,0X0001B001,0,0X00000011,"
            "0X00000088,io "
            "readahead,\n");
}

TEST(JsonEvents, HaveOneObjectPerLineWithoutUnknownFields) {
  std::istringstream lines(
      converted(with(kTrace, "work, 7F10C2A00000, 0001A2B3", "a\\377\\042, 7F10C2A00000, 0001A2B3"),
                json_events_writer));
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(objects.size(), 4u);
  EXPECT_EQ(objects[0]["comm"], "a\\377\"");
  EXPECT_EQ(objects[0]["kind"], "out");
  EXPECT_FALSE(objects[0].contains("service_ns"));
  EXPECT_EQ(objects[1]["address"], "7F10C2A00000");
  EXPECT_EQ(objects[1]["service_ns"], 412000);
  EXPECT_FALSE(objects[2].contains("address"));
  EXPECT_EQ(objects[3],
            (nlohmann::json{{"kind", "lost"}, {"time_ns", 8102000000}, {"count", 17}, {"cpu", 1}}));
}

TEST(OpenMetrics, WritesCountersUnitsAndTheEndMarker) {
  const std::string text = converted(kTrace, openmetrics_writer);
  EXPECT_THAT(text, HasSubstr("# TYPE physmem_paging_events counter\n"));
  EXPECT_THAT(text, HasSubstr("physmem_paging_events_total{kind=\"read\",process=\"work\"} 1\n"));
  EXPECT_THAT(text,
              HasSubstr("physmem_paging_events_total{kind=\"readahead\",process=\"work\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("# UNIT physmem_paging_service_seconds seconds\n"));
  EXPECT_THAT(text, HasSubstr("physmem_paging_service_seconds_total{process=\"work\"} 0.000412\n"));
  EXPECT_THAT(text, HasSubstr("physmem_paging_lost_events_total 17\n"));
  EXPECT_TRUE(text.ends_with("\n# EOF\n"));
}

TEST(Prometheus, NamesTypesAsSamples) {
  const std::string text = converted(kTrace, prometheus_writer);
  EXPECT_THAT(text, HasSubstr("# TYPE physmem_paging_events_total counter\n"));
  EXPECT_THAT(text, HasSubstr("# HELP physmem_paging_events_total "));
  EXPECT_THAT(text, HasSubstr("physmem_paging_events_total{kind=\"read\",process=\"work\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("UNIT")));
  EXPECT_THAT(text, Not(HasSubstr("EOF")));
}

/// The trace has 50 pids with 49 names. The busiest 20 names have their own sums, and one more sum
/// holds the others. Two pids of one name share a sum.
TEST(OpenMetrics, KeepsTwentyProcessNamesAndSumsTheRest) {
  std::string trace = "H: 1, trace=paging\n";
  int events = 0;
  for (int pid = 1; pid <= 50; ++pid)
    for (int n = 0; n <= pid; ++n)
      trace += "I: " + std::to_string(++events) + ", 1, 0, " + std::to_string(pid) + ", " +
               std::to_string(pid) + ", p" + std::to_string(pid == 50 ? 49 : pid) +
               ", -, -, -:-, -, io, -\n";
  const std::string text =
      converted(trace + "E: " + std::to_string(events) + ", 0, 0\n", openmetrics_writer);
  std::istringstream lines(text);
  int names = 0;
  int sum = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("physmem_paging_events_total{kind=\"read\"")) continue;
    ++names;
    sum += std::stoi(line.substr(line.rfind(' ')));
  }
  EXPECT_EQ(names, 21);
  EXPECT_EQ(sum, events);
  EXPECT_THAT(text, HasSubstr("{kind=\"read\",process=\"p49\"} 101\n"));
}

TEST(OpenMetrics, EscapesNamesInLabels) {
  EXPECT_THAT(converted(with(kTrace, "371, 371, work, 7F10C2A00000, 0001A2B3",
                             "9, 9, a\\042}\\012\\134, 7F10C2A00000, 0001A2B3"),
                        openmetrics_writer),
              HasSubstr("process=\"a\\\"}\\\\012\\\\\"} 1\n"));
}

TEST(Summary, HasOneRowPerProcess) {
  const std::string text =
      converted(kTrace, [](std::ostream& out) { return summary_writer(out, 0); });
  EXPECT_THAT(
      text,
      HasSubstr("371  work      2               1     0        1              0               "
                "0             1           412.00"));
  EXPECT_THAT(text, HasSubstr("17 events were lost."));
}

/// Timestamps of the packets, from the outer two levels of the wire format.
std::vector<std::uint64_t> timestamps(const std::string& bytes) {
  std::size_t at = 0;
  const auto number = [&] {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(at++));
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
  };
  std::vector<std::uint64_t> times;
  while (at < bytes.size()) {
    EXPECT_EQ(number(), 1u << 3 | 2);  // Trace.packet
    const std::size_t size = number();
    const std::size_t end = at + size;
    while (at < end) {
      const std::uint64_t tag = number();
      const std::uint64_t value = number();
      if (tag == 8u << 3) times.push_back(value);
      if ((tag & 7) == 2) at += value;
    }
    EXPECT_EQ(at, end);
  }
  return times;
}

TEST(Perfetto, SortsPacketsByTime) {
  std::ostringstream out;
  PerfettoWriter writer(out);
  writer.add_track(1, "t");
  writer.slice(1, 500, 600, "late in coming", {});
  writer.slice(1, 100, 200, "early", {});
  writer.instant(1, 200, "after the end of its time", {});
  writer.counter(1, 50, 7);
  writer.end();
  EXPECT_THAT(timestamps(out.str()), ElementsAre(50, 100, 200, 200, 500, 600));
}

TEST(Perfetto, WritesPacketsAfterTheHoldTime) {
  std::ostringstream out;
  PerfettoWriter writer(out);
  writer.add_track(1, "t");
  writer.counter(1, 100, 1);
  EXPECT_THAT(timestamps(out.str()), ElementsAre());
  writer.counter(1, 100 + PerfettoWriter::kHoldNs + 1, 2);
  EXPECT_THAT(timestamps(out.str()), ElementsAre(100));
}

}  // namespace
}  // namespace physmem
