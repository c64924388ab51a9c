// SPDX-License-Identifier: MIT
// Command lines with their exit status, output and messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "profile_files.h"
#include "program/messages.h"
#include "tests/unit/command_words.h"
#include "tools/monitor/options.h"
#include "tools/monitor/profile_shape.h"
#include "tools/monitor/run.h"

namespace physmem::monitor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

struct Outcome {
  Exit exit;
  std::string messages;
};

Outcome monitor(std::vector<std::string> words) {
  std::ostringstream messages;
  const auto options = CommandWords("physmem-monitor", std::move(words)).given_to(parse_options);
  const Exit exit =
      options ? run(*options, messages) : report_error(messages, kProgramName, options.error());
  return {exit, messages.str()};
}

class MonitorTest : public ProfileTest {
 protected:
  /// A run of `seconds` at 1000 Hz. Each sample has 2 minor faults, 1 major fault, 10 ms CPU time.
  std::string profile(const std::string& name, int seconds) const {
    std::string text;
    const int samples = seconds * 20;
    for (int i = 0; i < samples; ++i) text += std::to_string(1000 + i * 50) + " 2 1 10\n";
    return put(name, text + "read " + std::to_string(samples) + " profiled data\n");
  }
  std::string out() const { return in_folder("out"); }
};

TEST_F(MonitorTest, WritesABufferInTimeOrderAsTheAssignmentsText) {
  RingFile ring(in_folder("node"));
  ring.put({113, 1, 2, 3});
  ring.put({100, 4, 5, 6});
  EXPECT_EQ(monitor({in_folder("node"), "-o", out()}).exit, Exit::kDone);
  EXPECT_EQ(content(out()), "100 4 5 6\n113 1 2 3\nread 2 profiled data\n");
  EXPECT_EQ(monitor({"--drain", in_folder("node"), "-o", out()}).exit, Exit::kDone);
  EXPECT_EQ(content(out()), "100 4 5 6\n113 1 2 3\nread 2 profiled data\n");
  EXPECT_EQ(monitor({in_folder("node"), "-o", out()}).exit, Exit::kDone);
  EXPECT_EQ(content(out()), "read 0 profiled data\n");
}

TEST_F(MonitorTest, ConsumesOnlyAfterASuccessfulWrite) {
  RingFile ring(in_folder("node"));
  ring.put({113, 1, 2, 3});
  EXPECT_EQ(monitor({"--drain", in_folder("node"), "-o", "/dev/full"}).exit, Exit::kIo);
  EXPECT_EQ(monitor({"--drain", in_folder("node"), "--csv", "-o", in_folder("no/such")}).exit,
            Exit::kIo);
  EXPECT_EQ(monitor({"--drain", in_folder("node"), "-o", out()}).exit, Exit::kDone);
  EXPECT_EQ(content(out()), "113 1 2 3\nread 1 profiled data\n");
  EXPECT_EQ(monitor({in_folder("node"), "-o", out()}).exit, Exit::kDone);
  EXPECT_EQ(content(out()), "read 0 profiled data\n");
}

TEST_F(MonitorTest, ReportsMissingData) {
  RingFile ring(in_folder("node"));
  ring.put({113, 1, 2, 3});
  ring.longs()[2] = -1;
  const Outcome torn = monitor({in_folder("node"), "-o", out()});
  EXPECT_EQ(torn.exit, Exit::kDataMissing);
  EXPECT_THAT(torn.messages, HasSubstr("1 sample was half written or half consumed and left out"));
  const Outcome cut = monitor({put("cut", "1 2 3 4\n"), "-o", out()});
  EXPECT_EQ(cut.exit, Exit::kDataMissing);
  EXPECT_EQ(content(out()), "1 2 3 4\nread 1 profiled data\n");
  EXPECT_EQ(monitor({put("none", "read 0 profiled data\n"), "--csv", "-o", out()}).exit,
            Exit::kDataMissing);
}

TEST_F(MonitorTest, RejectsInputThatIsNotAProfile) {
  EXPECT_EQ(monitor({put("x", "hello\n"), "-o", out()}).exit, Exit::kBadInput);
  EXPECT_EQ(monitor({put("x", std::string(300, '\xFF')), "-o", out()}).exit, Exit::kBadInput);
  EXPECT_EQ(monitor({in_folder("."), "-o", out()}).exit, Exit::kBadInput);
  const Outcome absent = monitor({in_folder("absent"), "-o", out()});
  EXPECT_EQ(absent.exit, Exit::kIo);
  EXPECT_THAT(absent.messages, HasSubstr("No such file"));
  EXPECT_EQ(
      monitor({put("x", "1 0 0 0\n2 0 0 0\nread 2 profiled data\n"), "--csv", "-o", out()}).exit,
      Exit::kBadInput)
      << "samples are 1 ms apart";
  EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(MonitorTest, RejectsContradictoryOptions) {
  const std::string data = profile("p.data", 1);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--text", "--csv"},
                                             {"--plot", "x.gif"},
                                             {"--plot", "x.svg", "-o", "y"},
                                             {"--hz", "0"},
                                             {"--hz", "fast"},
                                             {"--cpu-unit", "ms"},
                                             {"--by-file", "--text"},
                                             {"--title", "T"},
                                             {data, data},
                                             {"--drain", data},
                                             {"--live", "--drain"},
                                             {"--live", "-"},
                                             {"--nonsense"},
                                             {"--plot"},
                                             {"--by-file", "--plot", "x.svg", data}})
    EXPECT_EQ(monitor(words).exit, Exit::kUsage) << testing::PrintToString(words);
}

TEST_F(MonitorTest, WritesTotalsByN) {
  EXPECT_EQ(
      monitor({"--by-file", "-o", out(), "5=" + profile("n5", 10), "11=" + profile("n11", 20)})
          .exit,
      Exit::kDone);
  EXPECT_EQ(content(out()),
            "N,CPU %,Completion s,Minor faults,Major faults\n"
            "5,20.00,10.000,400,200\n11,20.00,20.000,800,400\n");
}

TEST_F(MonitorTest, DrawsFaultsAndTotalsAsPictures) {
  const std::string svg = in_folder("case_1.svg");
  const Outcome faults =
      monitor({"--plot", svg, "R,R=" + profile("a.data", 3), profile("b.data", 5)});
  EXPECT_EQ(faults.exit, Exit::kDone) << faults.messages;
  EXPECT_THAT(content(svg), StartsWith("<?xml"));
  const std::string png = in_folder("case_2.png");
  EXPECT_EQ(
      monitor({"--by-file", "--plot", png, "5=" + profile("n5", 3), "11=" + profile("n11", 5)})
          .exit,
      Exit::kDone);
  EXPECT_THAT(content(png), StartsWith("\x89PNG"));
}

TEST_F(MonitorTest, DrawsNoPictureOfAnEmptyProfile) {
  const std::string none = put("none", "read 0 profiled data\n");
  const std::string svg = in_folder("case_1.svg");
  const Outcome empty = monitor({"--plot", svg, none});
  EXPECT_EQ(empty.exit, Exit::kDataMissing);
  EXPECT_THAT(empty.messages, HasSubstr("case_1.svg: not drawn, because there are no samples"));
  EXPECT_FALSE(std::filesystem::exists(svg));
  EXPECT_EQ(monitor({"--plot", svg, none, profile("a.data", 3)}).exit, Exit::kDataMissing);
  EXPECT_THAT(content(svg), StartsWith("<?xml")) << "the other profile is drawn";
}

TEST_F(MonitorTest, RejectsTextForLive) {
  const Outcome text = monitor({"--live", profile("a.data", 1)});
  EXPECT_EQ(text.exit, Exit::kBadInput);
  EXPECT_THAT(text.messages, HasSubstr("found a text, but --live requires the device's buffer"));
}

TEST_F(MonitorTest, PrefersAFileToALabel) {
  EXPECT_EQ(monitor({profile("a=b.data", 1), "-o", out()}).exit, Exit::kDone);
}

TEST(ProfileShape, AccumulatesFaults) {
  const Series series = faults_over_time(
      {{"a",
        Profile({{1000, 2, 1, 0}, {1050, 3, 0, 0}, {1150, 5, 4, 0}}, 1000, CpuUnit::kJiffies)}},
      "");
  ASSERT_THAT(series.panels, SizeIs(2));
  using testing::Pair;
  EXPECT_THAT(series.panels[0].lines[0].points,
              ElementsAre(Pair(0, 2), Pair(0.05, 5), Pair(0.15, 10)));
  EXPECT_THAT(series.panels[1].lines[0].points,
              ElementsAre(Pair(0, 1), Pair(0.05, 1), Pair(0.15, 5)));
  EXPECT_THAT(
      series.notes,
      ElementsAre("a: 3 samples in 0.2 s, 10 minor and 5 major faults, CPU 0.0 % of one CPU"));
}

TEST(ProfileShape, SortsRunsByN) {
  const Profile profile({{1000, 2, 1, 25}}, 1000, CpuUnit::kJiffies);
  const auto series = utilisation_by_number({{"11", profile}, {"5", profile}}, "");
  ASSERT_TRUE(series);
  using testing::Pair;
  EXPECT_THAT(series->panels[0].lines[0].points, ElementsAre(Pair(5, 50), Pair(11, 50)));
  EXPECT_FALSE(utilisation_by_number({{"five", profile}}, ""));
}

}  // namespace
}  // namespace physmem::monitor
