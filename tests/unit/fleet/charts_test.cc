// SPDX-License-Identifier: MIT
// Answers as pictures.
#include <gmock/gmock.h>

#include "fleet/ask/fleet_charts.h"

namespace physmem::fleet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> labels(const BarChart& chart) {
  std::vector<std::string> labels;
  for (const BarChart::Group& group : chart.groups) labels.push_back(group.label);
  return labels;
}

TEST(ChangesChart, HasNoValueWhereNoHostHasTheUnit) {
  const std::vector<ChangeRow> rows{{"/new", {}, {1, 1, 4096}}, {"/old", {1, 1, 8192}, {}}};
  const BarChart chart = changes_chart(rows, {}, {}, 30);
  ASSERT_THAT(chart.groups, SizeIs(2));
  EXPECT_THAT(chart.groups[0].bars, ElementsAre(IsEmpty(), ElementsAre(0, 0, 4)));
  EXPECT_THAT(chart.groups[1].bars, ElementsAre(ElementsAre(0, 8, 0), IsEmpty()));
  EXPECT_EQ(chart.title, "Files per host: what changed");
}

TEST(ChangesChart, StatesThatItDrawsAPart) {
  const std::vector<ChangeRow> rows(5, {"/a", {1, 1, 4096}, {1, 1, 8192}});
  EXPECT_EQ(changes_chart(rows, {}, {}, 2).title,
            "Files per host: what changed, the 2 largest of 5");
}

TEST(TrendChart, DrawsTheHighestPercentileIfItIsNotTheMaximum) {
  std::vector<TrendRow> rows(2);
  rows[0].p99 = rows[0].max = rows[1].p99 = rows[1].max = 4096;
  const auto lines = [&rows] { return trend_series(rows, "/a").panels[0].lines; };
  EXPECT_THAT(lines(), SizeIs(3));
  EXPECT_EQ(lines()[0].label, "maximum, p99");
  rows[1].max = 8192;
  ASSERT_THAT(lines(), SizeIs(4));
  EXPECT_EQ(lines()[0].label, "maximum");
  EXPECT_EQ(lines()[3].label, "p99");
  EXPECT_EQ(lines()[3].points[1].second, 4096.0 / 1048576);
}

TEST(HostsChart, StatesWhichHostsItLeavesOut) {
  std::vector<HostRow> rows(3);
  for (HostRow& row : rows) row.ram = 4096;
  rows[0].available = rows[1].available = 1024;
  EXPECT_EQ(hosts_chart(rows, 30).subtitle,
            "2 of 3 hosts, the least available share first; at the bars: RAM; without 1 host whose "
            "available memory is not known");
  rows.pop_back();
  EXPECT_EQ(hosts_chart(rows, 30).subtitle,
            "2 hosts, the least available share first; at the bars: RAM");
  EXPECT_EQ(hosts_chart(rows, 1).subtitle,
            "1 of 2 hosts, the least available share first; at the bars: RAM");
}

GrowthRow growing(const std::string& name, const std::string& cgroup) {
  GrowthRow row;
  row.host = "web1";
  row.name = name;
  row.cgroup = cgroup;
  row.line = {.samples = 10, .seconds = 3600, .slope = 10'000, .fit = 1};
  row.verdict = judge(row.line);
  return row;
}

TEST(LeaksChart, TellsSeriesOfOneNameApart) {
  GrowthRows growth;
  growth.rows = {growing("db", "/a/db.service"), growing("w", "/a/x.service"),
                 growing("w", "/b/y.service"),   growing("v", "/a/z.service"),
                 growing("v", "/b/z.service"),   growing("v", "/")};
  growth.series = growth.growing = 6;
  EXPECT_THAT(labels(leaks_chart(growth, 30)),
              ElementsAre("db on web1", "w (x.service) on web1", "w (y.service) on web1",
                          "v (/a/z.service) on web1", "v (/b/z.service) on web1", "v (/) on web1"));
  EXPECT_EQ(leaks_chart(growth, 2).title, "Growth of memory of processes, the 2 largest of 6");
}

TEST(Charts, TellHostsOfOneNameApart) {
  GrowthRows growth;
  growth.rows = {growing("db", "/"), growing("db", "/")};
  growth.rows[0].machine = "ff54e7daa9bb4af0";
  growth.rows[1].machine = "0a3089dcdf72456f";
  EXPECT_THAT(labels(leaks_chart(growth, 30)),
              ElementsAre("db on web1 [ff54e7da]", "db on web1 [0a3089dc]"));
}

}  // namespace
}  // namespace physmem::fleet
