// SPDX-License-Identifier: MIT
// --track: the number of pages per version (I27).
#include "analyzer/cli/track.h"

#include <algorithm>
#include <thread>

#include "tests/unit/cli/command_run.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using TrackTest = CommandRun;

TEST_F(TrackTest, AppendsToFileAndPrintsChange) {
  const std::string three = write("a.txt", kSample);
  const std::string one =
      write("b.txt", maps_snapshot("process dog 9\n1000-2000 rw-p 0 0 - : a1\n"));
  EXPECT_EQ(command({"--track", path("t.csv"), "--label", "v1", three, "-o", path("out")}),
            Exit::kDone)
      << messages_;
  EXPECT_EQ(command({"--track", path("t.csv"), "--label", "v2, \"final\"", one, "-o", path("out")}),
            Exit::kDone)
      << messages_;
  EXPECT_EQ(command({"--track", path("t.csv"), three, "-o", path("out")}), Exit::kDone)
      << messages_;
  EXPECT_EQ(content("t.csv"),
            "Label,Time,Kernel,User space pages,Page size B\n"
            "v1,2025-11-21T00:00:00Z,6.1.0,3,4096\n"
            "\"v2, \"\"final\"\"\",2025-11-21T00:00:00Z,6.1.0,1,4096\n" +
                three + ",2025-11-21T00:00:00Z,6.1.0,3,4096\n");
  EXPECT_NE(content("out").find("-2\n"), std::string::npos) << content("out");
  EXPECT_TRUE(content("out").ends_with("+2\n"));
}

TEST_F(TrackTest, ReadsBackWhatItWrote) {
  command({"--track", path("t.csv"), "--label", "a \"b\",\nc ", write("a.txt", kSample), "-o",
           path("out")});
  const auto entries = read_track(path("t.csv"));
  ASSERT_TRUE(entries) << entries.error().text;
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ(entries->at(0).label, "a \"b\",\nc ");
  EXPECT_EQ(entries->at(0).pages, 3u);
}

TEST_F(TrackTest, HasNoEntriesIfFileIsMissingOrEmpty) {
  ASSERT_TRUE(read_track(path("missing.csv")));
  EXPECT_TRUE(read_track(path("missing.csv"))->empty());
  ASSERT_TRUE(read_track(write("empty.csv", "")));
  EXPECT_TRUE(read_track(path("empty.csv"))->empty());
}

TEST_F(TrackTest, RejectsForeignFileAndDoesNotChangeIt) {
  const std::string input = write("a.txt", kSample);
  const std::string head = "Label, Time, Kernel, User space pages, Page size B\n";
  const std::string kForeign[] = {"one line\n",           "a, b, c, d, e\n",
                                  "name,pages\nx,1\n",    head + "v1, t, k, three, 4096\n",
                                  head + "v1, t, k, 3\n", head + "v1, t, k, \"3, 4096\n",
                                  std::string(kSample)};
  for (const std::string& foreign : kForeign) {
    write("t.csv", foreign);
    EXPECT_EQ(command({"--track", path("t.csv"), input, "-o", path("out")}), Exit::kBadInput)
        << foreign;
    EXPECT_TRUE(messages_.ends_with("expected a file that --track wrote\n")) << messages_;
    EXPECT_EQ(content("t.csv"), foreign);
  }
}

TEST_F(TrackTest, KeepsEntriesOfConcurrentRuns) {
  constexpr int kThreads = 4, kRuns = 8;
  const std::string input = write("a.txt", kSample);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      Options options;
      options.track_file = path("t.csv");
      options.track_label = std::to_string(i);
      options.inputs = {input};
      options.output = "/dev/null";
      std::ostringstream messages;
      for (int run = 0; run < kRuns; ++run)
        EXPECT_EQ(physmem::run(options, messages), Exit::kDone) << messages.str();
    });
  for (std::thread& thread : threads) thread.join();
  const auto entries = read_track(path("t.csv"));
  ASSERT_TRUE(entries) << entries.error().text;
  for (int i = 0; i < kThreads; ++i)
    EXPECT_EQ(std::count_if(entries->begin(), entries->end(),
                            [&](const auto& entry) { return entry.label == std::to_string(i); }),
              kRuns);
}

TEST_F(TrackTest, RejectsCsvTableThatWouldOverwriteTrackFile) {
  const std::string input = write("a.txt", kSample);
  for (const char* file : {"day-track.csv", "day-totals.csv"}) {
    EXPECT_EQ(command({"--track", path(file), input, "-o", path("out")}), Exit::kDone);
    const std::string history = content(file);
    EXPECT_EQ(command({"--basic", "--totals", "--track", path(file), input, "-o", path("day.csv")}),
              Exit::kUsage);
    EXPECT_NE(messages_.find("as --track and as output of the table "), std::string::npos)
        << messages_;
    EXPECT_EQ(content(file), history);
    EXPECT_FALSE(exists("day.csv"));
  }
}

TEST_F(TrackTest, ReportsErrorForDirectory) {
  const auto entries = read_track(path(""));
  ASSERT_FALSE(entries);
  EXPECT_EQ(entries.error().kind, Error::Kind::kIo);
}

TEST_F(TrackTest, RejectsSnapshotWithoutPages) {
  const std::string input =
      write("s.txt", with(kHeaderLine, "pages=all", "pages=none") + "E: 0, 0, 0, 0, 0\n");
  EXPECT_EQ(command({"--track", path("t.csv"), input, "-o", path("out")}), Exit::kBadInput);
  EXPECT_FALSE(exists("t.csv"));
}

}  // namespace
}  // namespace physmem
