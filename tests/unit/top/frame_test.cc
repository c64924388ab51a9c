// SPDX-License-Identifier: MIT
#include "top/screen/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/printable.h"
#include "tests/unit/top/top_round.h"
#include "top/screen/fit.h"
#include "top/screen/layout.h"

namespace physmem::top {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ProcessState process(std::uint64_t pid, const std::string& command, Kib uss, Kib pss, Kib rss) {
  ProcessState state = some_process(pid, command, rss);
  state.uss = uss;
  state.pss = pss;
  state.swap = 0;
  return state;
}

/// A history of two rounds with a second between them.
History some_history() {
  History history;
  std::vector<ProcessState> processes{process(1, "init", 300, 400, 2'000),
                                      process(71, "web", 9'000, 12'000, 20'000),
                                      process(72, "a-long-command", 70, 80, 90)};
  history.add(round_at(1000, processes));
  processes[1].minors = 1500;
  processes[1].ticks = 40;
  Round round = round_at(1001, processes);
  round.load_centi = 52;
  round.memory = Memory{.total = 1000,
                        .parts = std::array<Kib, kMemoryParts>{250, 0, 250, 0, 0, 500},
                        .swap_total = 100,
                        .swap_free = 75,
                        .available = 700};
  round.walks = WalkState{.processes = 3, .stale = 1, .cost = 0.0123};
  history.add(std::move(round));
  return history;
}

std::vector<std::string> texts(const std::vector<Line>& lines) {
  std::vector<std::string> all;
  for (const Line& line : lines) all.push_back(plain_text(line));
  return all;
}

std::vector<std::string> screen(const History& history, View& view) {
  return texts(frame(look_at(history, view, user_of), view));
}

TEST(Frame, OfEightyColumns) {
  const History history = some_history();
  View view;
  view.height = 14;
  EXPECT_THAT(
      screen(history, view),
      ElementsAre(
          "physmem-top  desk  up 0:16  load 0.52                          live, every 1.0 s",
          "RAM  [############============.........................] 700K of 0.98M available",
          "     #anon 250K %shmem 0 =file 250K +kernel 0 -other 0 .free 500K",
          "Swap [##############..........................................] 25K of 100K used",
          "system: no verdict before the second sample",
          "    PID USER       USS   PSS   RSS  SWAP MIN/s MAJ/s  CPU% COMMAND",
          "     71 user1000 8.79M 11.7M 19.5M     0 1.50k     0  40.0 web",
          "      1 user1000  300K  400K 1.95M     0     0     0   0.0 init",
          "     72 user1000   70K   80K   90K     0     0     0   0.0 a-long-command", "", "",
          "  TOTAL          9.15M 12.2M 21.6M     0 1.50k     0  40.0 3 processes",
          "own CPU 1.2 %; pages of 1 of 3 processes older than 10 s",
          "h help ⏎ pages <> sort r reverse / search f filter c tree tT time p pause q quit"));
}

TEST(Frame, NamesAWrongExpressionAndAProcessThatHasEnded) {
  const History history = some_history();
  View view;
  view.height = 14;
  view.followed = 4711;
  EXPECT_THAT(screen(history, view),
              testing::Contains(HasSubstr("following 4711, which is not in the table")));
  view.followed = 71;
  EXPECT_THAT(screen(history, view), testing::Contains(HasSubstr("following 71;")));
  view.selection.filter = TextFilter("/(/");
  EXPECT_THAT(screen(history, view),
              testing::Contains(HasSubstr("filter: found \"/(/\", expected a regular")));
}

TEST(Frame, HasAWordForPause) {
  const History history = some_history();
  View view;
  view.at_round = history.number(0);
  EXPECT_THAT(screen(history, view)[0], HasSubstr("paused, 1.0 s ago"));
}

TEST(Frame, MarksSumsThatLackUnreadProcesses) {
  History history;
  history.add(round_at(
      1000, {process(1, "init", 1'000, 1'400, 2'000), some_process(71, "unread", 30'000)}));
  View view;
  view.height = 12;
  const std::vector<std::string> lines = screen(history, view);
  EXPECT_THAT(lines, testing::Contains(HasSubstr("     71 user1000     -     - 29.3M ")));
  EXPECT_THAT(lines, testing::Contains(HasSubstr("  TOTAL          >0.9M >1.3M 31.2M ")));
}

TEST(Frame, LeavesOutWholePartsOfLinesWithLessRoom) {
  History history = some_history();
  Round round = history.latest();
  round.verdict.emplace();
  round.verdict->level = Level::kIdle;
  round.verdict->refault_condition = RefaultCondition::kFalse;
  round.verdict->system.refaults = 0;
  round.verdict->system.scanned = 12;
  round.verdict->system.full = round.verdict->system.some = 0;
  round.walks = WalkState{.processes = 300, .unread = 14, .stale = 12, .cost = 0.0123};
  round.uptime_ns += 1'000'000'000;
  history.add(std::move(round));
  View view;
  view.followed = 71;
  view.selection.filter = TextFilter("e");
  const auto at = [&](std::size_t width) {
    view.width = width;
    const auto lines = screen(history, view);
    return std::vector<std::string>{lines[0], lines[2], lines[4], lines[22], lines[23]};
  };
  EXPECT_THAT(
      at(120),
      ElementsAre(HasSubstr("physmem-top  desk  up 0:16  load 0.52"),
                  "     #anonymous 250K %shared memory 0 =file cache 250K +kernel 0 -other 0 .free "
                  "500K",
                  "system idle (level 0): no pages are reclaimed: 0 refaults/s, 12 pages/s scanned",
                  "filter \"e\"; following 71; own CPU 1.2 %; pages of 12 of 300 processes older "
                  "than 10 s; 14 unread",
                  HasSubstr("p pause q quit")));
  EXPECT_THAT(at(60), ElementsAre("physmem-top  desk  up 0:16  load 0.52      live, every 1.0 s",
                                  "     #anon 250K %shmem 0 =file 250K +kernel 0 .free 500K",
                                  "system idle (level 0): no pages are reclaimed: 0 refaults/s",
                                  "filter \"e\"; following 71; own CPU 1.2 %; 14 unread",
                                  "h help ⏎ pages <> sort / search f filter c tree q quit"));
  EXPECT_THAT(at(40), ElementsAre("desk  load 0.52        live, every 1.0 s",
                                  "     #anon 250K =file 250K .free 500K", "system idle (level 0)",
                                  "filter \"e\"; following 71; own CPU 1.2 %",
                                  "h help ⏎ pages / search f filter q quit"));
}

TEST(Frame, ShowsOnlyTheSizeOfRamIfItsPartsAreUnknown) {
  History history = some_history();
  Round round = history.latest();
  round.memory.emplace();
  round.memory->total = 1000;
  round.uptime_ns += 1'000'000'000;
  history.add(std::move(round));
  View view;
  const auto lines = screen(history, view);
  EXPECT_EQ(lines[1], "RAM 0.98M, what it is used for is unknown");
  EXPECT_EQ(lines[2], "");
}

TEST(Frame, NamesTheControlGroupOfAVerdictInEightyColumns) {
  History history = some_history();
  Round round = history.latest();
  round.verdict.emplace();
  round.verdict->level = Level::kThrashing;
  round.verdict->refault_condition = RefaultCondition::kTrue;
  round.verdict->system.scanned = 0;
  round.verdict->system.group_scanned = 900;
  round.verdict->system.refaults = 800;
  round.verdict->system.faulting_group = "/web";
  round.uptime_ns += 1'000'000'000;
  history.add(std::move(round));
  View view;
  view.width = 80;
  EXPECT_EQ(screen(history, view)[4],
            "system thrashing (level 3): pages are evicted and read…ost major faults in /web)");
}

TEST(Frame, DividesMapsAndTextsOfTheProcessPageForANarrowScreen) {
  const History history = some_history();
  View view;
  view.page = Page::kProcess;
  view.pid = 71;
  view.width = 40;
  view.height = 30;
  Details details;
  details.pid = 71;
  details.regions = {{"heap", {100, 90, 80, 85, 4}}};
  details.maps = {{"00001000-00014FFF .r.... 20 pages, 20 resident  /usr/bin/web", "", true, 0, 0},
                  {"000000001000", std::string(20, '1') + std::string(44, ' '), false, 0x1000, 0}};
  Shown shown = look_at(history, view, user_of);
  shown.details = std::make_shared<const Details>(details);
  EXPECT_THAT(
      texts(frame(shown, view)),
      testing::IsSupersetOf({"USS 8.79M  PSS 11.7M  RSS 19.5M  swap 0", "    PSS     RSS REGION",
                             "    85K     90K heap", "MAPS: 16 pages per line",
                             "00001000-00014FFF .r.... 20 pages, 20", "  resident  /usr/bin/web",
                             "000000001000  1111111111111111", "000000011000  1111",
                             ". not resident, 1-9 mappings, # ten or"}));
}

TEST(Frame, SaysIfNoProcessMatches) {
  const History history = some_history();
  View view;
  view.selection.filter = TextFilter("x*y");
  EXPECT_EQ(screen(history, view)[6], "no process matches \"x*y\"");
  view.selection = {.only = {.names = {*NamePattern::parse("x")}}};
  EXPECT_EQ(screen(history, view)[6], "no process matches the options");
  EXPECT_THAT(texts(text_frame(look_at(history, view, user_of), view)),
              testing::Contains("no process matches the options"));
}

TEST(Frame, SaysTheExpectedSizeInTenColumns) {
  const History history = some_history();
  View view;
  view.width = 10;
  view.height = 3;
  EXPECT_EQ(screen(history, view)[0], "40×12");
  view.width = 30;
  EXPECT_EQ(screen(history, view)[0], "terminal too small: 40×12");
}

TEST(Frame, FillsEachLineAtAnySize) {
  const History history = some_history();
  for (const std::size_t width : {20, 40, 57, 80, 133, 200})
    for (const std::size_t height : {5, 12, 24, 60})
      for (const Page page : {Page::kTable, Page::kProcess, Page::kHelp}) {
        View view;
        view.page = page;
        view.pid = 71;
        view.width = width;
        view.height = height;
        const auto lines = frame(look_at(history, view, user_of), view);
        EXPECT_EQ(lines.size(), height);
        for (const Line& line : lines) EXPECT_EQ(columns_of(line), width) << plain_text(line);
      }
}

TEST(Frame, IsAsciiForATerminalWithoutUtf8) {
  use_ascii();
  History history = some_history();
  history.add(round_at(1002, {process(7, "Ärger-mit-einem-langen-Namen", 1, 2, 3)}));
  for (const std::size_t width : {20, 40, 80})
    for (const Page page : {Page::kTable, Page::kProcess, Page::kHelp}) {
      View view;
      view.page = page;
      view.pid = 7;
      view.width = width;
      for (const std::string& line : screen(history, view))
        EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' '; })) << line;
    }
  use_ascii(false);
}

TEST(Frame, ShowsWhyAProcessHasNoPages) {
  const History history = some_history();
  View view;
  view.page = Page::kProcess;
  view.pid = 71;
  Shown shown = look_at(history, view, user_of);
  EXPECT_THAT(texts(frame(shown, view)), testing::Contains("reading its pages …"));
  shown.no_details = "the kernel shows page frames to root only";
  EXPECT_THAT(texts(frame(shown, view)), testing::Contains(HasSubstr("root only")));
}

TEST(Frame, ShowsRegionsFilesAndMapsOfAProcess) {
  const History history = some_history();
  View view;
  view.page = Page::kProcess;
  view.pid = 71;
  view.height = 20;
  Details details;
  details.pid = 71;
  details.total = {9000, 20'000, 9'000, 12'000, 0};
  details.regions = {{"heap", {100, 90, 80, 85, 4}}};
  details.files = {
      {"/usr/lib/x86_64-linux-gnu/a-library-with-a-long-name.so.1", 2, {9, 8, 7, 6, 5}}};
  details.maps = {{"00001000-00002FFF .r.... 2 pages, 1 resident  /usr/bin/web", "", true, 0, 0},
                  {"000000001000", "1.", false, 0x1000, 0}};
  Shown shown = look_at(history, view, user_of);
  shown.details = std::make_shared<const Details>(details);
  const auto lines = texts(frame(shown, view));
  EXPECT_EQ(lines[0], "web (71)  user user1000");
  EXPECT_EQ(lines[5], "    80K     85K     90K      4K    100K heap");
  EXPECT_EQ(lines[9],
            "     7K      6K      8K      5K      9K /usr/lib/x86_64-linu…th-a-long-name.so.1");
  EXPECT_EQ(lines[12], "00001000-00002FFF .r.... 2 pages, 1 resident  /usr/bin/web");
  EXPECT_EQ(lines[13], "000000001000  1.");
}

TEST(Frame, NamesAWarningIfUssAndPssRequireRoot) {
  History history;
  Round round = round_at(1, {some_process(7, "sh", 90)});
  round.walks = WalkState{.are_frames_hidden = true, .processes = 1};
  history.add(std::move(round));
  View view;
  const auto lines = screen(history, view);
  EXPECT_THAT(lines[22], HasSubstr("USS and PSS require root"));
  EXPECT_EQ(lines[6], "      7 user1000     -     -   90K     -     -     -     - sh");
}

TEST(Frame, SaysIfUssAndPssAreEstimates) {
  History history;
  Round round = round_at(1, {some_process(7, "sh", 90)});
  round.walks = WalkState{.are_counts_means = true, .processes = 1};
  history.add(std::move(round));
  View view;
  view.width = 120;
  EXPECT_THAT(screen(history, view)[22], HasSubstr("USS, PSS estimated"));
}

TEST(Frame, ShowsControlCharactersOfNamesAsOctal) {
  History history;
  history.add(round_at(1, {some_process(7, "a\x1b[2Jb", 90)}));
  View view;
  EXPECT_THAT(screen(history, view)[6], HasSubstr("a\\033[2Jb"));
}

TEST(Frame, IsolatesNamesFromRightToLeft) {
  History history;
  history.add(round_at(1, {some_process(7, "\u05d0\u05d1", 90)}));
  View view;
  EXPECT_THAT(screen(history, view)[6], HasSubstr("\u2068\u05d0\u05d1\u2069"));
}

TEST(TableColumns, DropTheLessImportantOnesWithLessRoom) {
  const auto titles = [](std::size_t width) {
    std::string text;
    for (const TableColumn& column : table_columns(width, false))
      text += std::string(column.title) + " ";
    return text;
  };
  EXPECT_EQ(titles(200), "PID USER USS PSS RSS SWAP MIN/s MAJ/s CPU% COMMAND CGROUP ");
  EXPECT_EQ(titles(80), "PID USER USS PSS RSS SWAP MIN/s MAJ/s CPU% COMMAND ");
  EXPECT_EQ(titles(72), "PID USER USS PSS RSS SWAP MAJ/s CPU% COMMAND ");
  EXPECT_EQ(titles(40), "PID PSS RSS COMMAND ");
}

TEST(Fit, ShortensInTheMiddleByColumns) {
  EXPECT_EQ(shortened("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghijk", 10), "abcde…hijk");
  EXPECT_EQ(shortened("日本語日本語日本語", 10), "日本…本語") << "a half character does not fit";
  EXPECT_EQ(shortened("日本語日本語日本語", 9), "日本…本語");
  EXPECT_EQ(shortened("abc", 2), "ab");
  EXPECT_EQ(right_aligned("7", 3), "  7");
  EXPECT_EQ(left_aligned("é", 3), "é  ");
}

TEST(Fit, WritesSizesInFiveCharacters) {
  EXPECT_EQ(size_text(std::nullopt), "-");
  EXPECT_EQ(size_text(0), "0");
  EXPECT_EQ(size_text(999), "999K");
  EXPECT_EQ(size_text(1023), "1.00M");
  EXPECT_EQ(size_text(10 * 1024), "10.0M");
  EXPECT_EQ(size_text(999 * 1024), "999M");
  EXPECT_EQ(size_text(1536 * 1024), "1.50G");
  for (std::uint64_t kib = 1; kib < std::uint64_t{1} << 43; kib = kib * 9 / 8 + 1)
    EXPECT_LE(size_text(kib).size(), 5u) << kib;
  EXPECT_EQ(at_least_text(999), ">999K");
  EXPECT_EQ(at_least_text(1023), ">0.9M");
  EXPECT_EQ(at_least_text(1792 * 1024), ">1.7G");
  EXPECT_EQ(at_least_text(645 * 1024 + 1000), ">645M");
  EXPECT_EQ(rate_text(0.4), "0");
  EXPECT_EQ(rate_text(12'345), "12.3k");
  EXPECT_EQ(percent_text(100), "100");
  EXPECT_EQ(uptime_text(90'060'000'000'000), "1 d 1:01");
}

}  // namespace
}  // namespace physmem::top
