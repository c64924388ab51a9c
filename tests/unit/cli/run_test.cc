// SPDX-License-Identifier: MIT
// Runs the command and checks its output.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "analyzer/input/questions.h"
#include "tests/unit/cli/command_run.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using RunTest = CommandRun;

TEST_F(RunTest, WritesAnalysesInDefaultFormat) {
  const std::string input = write("s.txt", kSample);
  EXPECT_EQ(command({"--basic", "--count", input, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(
      content("out"),
      R"(Name, RW Count, RX Count, Total, Name, Stack, .Data, .Text, Heap, Lib .bss, Lib .data, Lib .text, Single, Multi
cat, 1, 2, 3, cat, 1, 0, 2, 0, 0, 0, 0, 0, 0
kswapd0, 0, 0, 0, kswapd0, 0, 0, 0, 0, 0, 0, 0, 0, 0

User space pages: 3
)");
  EXPECT_EQ(messages_, "");
}

TEST_F(RunTest, WritesEachFurtherCsvTableNextToFirst) {
  const std::string a = write("a.txt", kSample);
  EXPECT_EQ(command({"--totals", "--count", a, a, "-o", path("day.csv")}), Exit::kDone);
  EXPECT_EQ(content("day.csv"), "Snapshot,Unit,.bss,.data,.text,Total\n" + a +
                                    ",/usr/bin/cat,0,0,2,2\n" + a + ",/usr/bin/cat,0,0,2,2\n");
  EXPECT_EQ(content("day-count.csv"),
            "Snapshot,User space pages,Page size B\n" + a + ",3,4096\n" + a + ",3,4096\n");
  EXPECT_EQ(messages_, "physmem-analyze: the table count is in " + path("day-count.csv") + "\n");
}

TEST_F(RunTest, RejectsSecondCsvTableIfOutputIsNotRegularFile) {
  const std::string a = write("a.txt", kSample);
  for (const char* output : {"-", "/dev/stdout", "/dev/null"}) {
    EXPECT_EQ(command({"--totals", "--count", "--csv", a, "-o", output}), Exit::kUsage) << output;
    EXPECT_NE(messages_.find("--csv: found 2 tables for "), std::string::npos) << messages_;
  }
}

TEST_F(RunTest, RejectsSecondCsvTableThatWouldOverwriteInput) {
  const std::string a = write("day-count.csv", kSample);
  EXPECT_EQ(command({"--totals", "--count", a, "-o", path("day.csv")}), Exit::kUsage);
  EXPECT_NE(messages_.find("as input and as output of the table count"), std::string::npos)
      << messages_;
  EXPECT_EQ(content("day-count.csv"), kSample);
  EXPECT_FALSE(exists("day.csv"));
}

TEST_F(RunTest, AnswersTheFilesAfterOneThatCannotBeRead) {
  const std::string a = write("a.txt", kSample), bad = write("bad.txt", "nonsense\n");
  EXPECT_EQ(command({"--count", "--csv", a, bad, path("none.txt"), a, "-o", path("out.csv")}),
            Exit::kBadInput);
  EXPECT_EQ(content("out.csv"),
            "Snapshot,User space pages,Page size B\n" + a + ",3,4096\n" + a + ",3,4096\n");
  EXPECT_NE(messages_.find("bad.txt"), std::string::npos) << messages_;
  EXPECT_NE(messages_.find("none.txt: cannot open"), std::string::npos) << messages_;
  // Two snapshots are compared, or not.
  EXPECT_EQ(command({"--diff", a, bad, "-o", path("diff")}), Exit::kBadInput);
  EXPECT_FALSE(exists("diff"));
}

TEST_F(RunTest, WritesAReportThatNoMoreUsersCanReadThanTheSnapshot) {
  const std::string input = write("s.txt", kSample);
  const auto mode_of = [&](const std::string& name) {
    struct stat status {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0) << name;
    return status.st_mode & 0777;
  };
  const mode_t before = ::umask(022);
  ::chmod(input.c_str(), 0600);
  const auto write_to = [&](const std::string& name, std::vector<std::string> words) {
    words.insert(words.end(), {input, "-o", path(name)});
    EXPECT_EQ(command(words), Exit::kDone) << messages_;
    return mode_of(name);
  };
  EXPECT_EQ(write_to("a.svg", {"--totals"}), 0600u);
  EXPECT_EQ(write_to("a.csv", {"--totals"}), 0600u);
  EXPECT_EQ(write_to("a.folded", {}), 0600u);
  EXPECT_EQ(write_to("a.db", {}), 0600u);
  EXPECT_EQ(write_to("a.perfetto-trace", {}), 0600u);
  EXPECT_EQ(command({"--totals", "--count", input, "-o", path("b.csv")}), Exit::kDone);
  EXPECT_EQ(mode_of("b-count.csv"), 0600u);
  // An existing file keeps its mode, and a snapshot for all makes a report for all.
  ::chmod(path("a.svg").c_str(), 0644);
  EXPECT_EQ(write_to("a.svg", {"--totals"}), 0644u);
  ::chmod(input.c_str(), 0644);
  EXPECT_EQ(write_to("c.svg", {"--totals"}), 0644u);
  ::umask(before);
}

TEST_F(RunTest, RejectsADatabaseNextToAJournal) {
  const std::string input = write("s.txt", kSample);
  for (const char* journal : {"a.db-journal", "a.db-wal"}) {
    write(journal, "pages of another database");
    EXPECT_EQ(command({input, "-o", path("a.db")}), Exit::kIo);
    EXPECT_NE(messages_.find(std::string(journal) + " exists, and SQLite would write"),
              std::string::npos)
        << messages_;
    EXPECT_FALSE(exists("a.db"));
    std::filesystem::remove(path(journal));
  }
}

TEST_F(RunTest, WritesPidOfEachProcessToJson) {
  const std::string input = write("s.txt", kSample);
  EXPECT_EQ(command({"--basic", "--summary", "--json", input, "-o", path("out")}), Exit::kDone);
  const auto json = nlohmann::json::parse(content("out"));
  for (const auto& row : json[0]["reports"][1]["rows"]) EXPECT_TRUE(row["pid"].is_number()) << row;
  for (const auto& row : json[0]["reports"][0]["rows"])
    EXPECT_EQ(row["pid"].is_number(),
              row["section"] == "unique" || row["section"] == "proportional")
        << row;
}

TEST_F(RunTest, EscapesFormulasWithSpreadsheet) {
  const std::string input = write("s.txt", with(kSample, "T: cat ", "T: =cat"));
  EXPECT_EQ(command({"--basic", "--spreadsheet", input, "-o", path("out.csv")}), Exit::kDone)
      << messages_;
  EXPECT_NE(content("out.csv").find("\n'=cat, 1, 2, 3, '=cat, "), std::string::npos)
      << content("out.csv");
  EXPECT_EQ(command({"--basic", input, "-o", path("out.csv")}), Exit::kDone);
  EXPECT_NE(content("out.csv").find("\n=cat, 1, 2, 3, =cat, "), std::string::npos)
      << content("out.csv");
}

TEST_F(RunTest, PrintsOneCountLinePerSnapshot) {
  const std::string a = write("a.txt", kSample);
  const std::string b = write("b.txt", maps_snapshot("process dog 9\n1000-2000 rw-p 0 0 - : a1\n"));
  EXPECT_EQ(command({"--count", a, b, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(content("out"), a + ": User space pages: 3\n" + b + ": User space pages: 1\n");
}

TEST_F(RunTest, PrintsHeadingPerSnapshotIfSeveral) {
  const std::string a = write("a.txt", std::string(kSample) + std::string(kSample));
  EXPECT_EQ(command({"--alerts", a, a, "-o", path("out")}), Exit::kDone);
  const std::string first = "==> " + a + " <==\nNo alerts.\n";
  const std::string second = "==> " + a + "#2 <==\nNo alerts.\n";
  EXPECT_EQ(content("out"), first + "\n" + second + "\n" + first + "\n" + second);
}

TEST_F(RunTest, WritesAnswerForEachSnapshotOfOneFile) {
  const std::string input = write("s.txt", std::string(kSample) + std::string(kSample));
  EXPECT_EQ(command({"--count", "--json", input, "-o", path("out.json")}), Exit::kDone);
  const auto json = nlohmann::json::parse(content("out.json"));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1]["reports"][0]["rows"][0]["user_space_pages"], 3);
}

TEST_F(RunTest, ReportsThatCsvOfSeveralSnapshotsInOneFileHasNoSnapshotColumn) {
  const std::string one = write("s.txt", std::string(kSample) + std::string(kSample));
  EXPECT_EQ(command({"--count", one, "-o", path("out.csv")}), Exit::kDone);
  EXPECT_EQ(content("out.csv"), "User space pages,Page size B\n3,4096\n3,4096\n");
  EXPECT_NE(messages_.find(one + ": several snapshots in one file"), std::string::npos);
  EXPECT_EQ(command({"--count", one, one, "-o", path("out.csv")}), Exit::kDone);
  EXPECT_EQ(messages_, "") << "two files have the column";
}

TEST_F(RunTest, ReportsMissingDataPerSnapshot) {
  std::string text;
  for (const char* note : {"note.task_exited=1", "note.task_exited=2", "vm.pgfault=1"})
    text += with(kSample, "vm.pgfault=1203344", note);
  const std::string input = write("s.txt", text);
  EXPECT_EQ(command({"--count", input, "-o", path("out")}), Exit::kDone);
  const std::string prefix = "physmem-analyze: " + input;
  EXPECT_EQ(messages_, prefix + ": 1 task ended while being collected\n" + prefix +
                           ": likewise in 1 later snapshot\n");
}

TEST_F(RunTest, WritesEveryAnalysisAsOneJsonDocument) {
  const std::string input = write("s.txt", kSample);
  EXPECT_EQ(command({"--summary", "--basic", "--vma", "--units", "--totals", "--alerts", "--count",
                     "--pages", "--json", input, "-o", path("out")}),
            Exit::kDone);
  const auto json = nlohmann::json::parse(content("out"));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["snapshot"], input);
  std::vector<std::string> reports;
  for (const auto& report : json[0]["reports"]) reports.push_back(report["report"]);
  // The maps are written while the snapshot is read. The other reports are written at its end.
  EXPECT_EQ(reports, (std::vector<std::string>{"maps", "summary", "basic", "unit-maps", "totals",
                                               "alerts", "count", "pages"}));
  EXPECT_EQ(json[0]["reports"][0]["rows"].size(), 2u)
      << "one line per area and no line of other reports";
}

TEST_F(RunTest, AnswersEachQuestionOfTheTable) {
  const std::string input = write("s.txt", kSample);
  for (const QuestionText& question : questions()) {
    if (question.is_form) continue;
    std::vector<std::string> words(question.min_snapshots, input);
    words.insert(words.end(), {std::string("--") + question.name, "-o", path("out")});
    if (question.has("frames")) words.insert(words.end(), {"--frames", "1"});
    if (question.name == std::string("if-stopped")) words.insert(words.end(), {"--pid", "1"});
    EXPECT_THAT(command(words), testing::AnyOf(Exit::kDone, Exit::kDataMissing))
        << question.name << ": " << messages_;
  }
}

TEST_F(RunTest, WritesValidJsonIfFirstLineOfSnapshotIsDropped) {
  const std::string input = write("s.txt", "T: broken\n" + std::string(kSample));
  EXPECT_EQ(command({"--count", "--json", "--keep-going", input, "-o", path("out")}),
            Exit::kDataMissing);
  EXPECT_EQ(nlohmann::json::parse(content("out")).size(), 2u);
}

TEST_F(RunTest, DrawsChartInEachPictureFormat) {
  const std::string input = write("s.txt", kSample);
  const std::pair<const char*, const char*> kMagic[] = {
      {"o.ps", "%!PS"}, {"o.pdf", "%PDF"}, {"o.svg", "<?xml"}, {"o.png", "\x89PNG"}};
  for (const auto& [file, magic] : kMagic) {
    EXPECT_EQ(command({"--basic", input, "-o", path(file)}), Exit::kDone) << messages_;
    EXPECT_TRUE(content(file).starts_with(magic)) << file;
  }
}

TEST_F(RunTest, ReadsStandardInput) {
  const std::string input = write("s.txt", kSample);
  const int saved = dup(STDIN_FILENO);
  const int file = open(input.c_str(), O_RDONLY);
  ASSERT_GE(dup2(file, STDIN_FILENO), 0);
  EXPECT_EQ(command({"--count", "-", "-o", path("out")}), Exit::kDone) << messages_;
  EXPECT_EQ(content("out"), "User space pages: 3\n");
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(file);
}

TEST_F(RunTest, LimitsAnalysisToProcessOfPid) {
  const std::string input = write(
      "s.txt",
      maps_snapshot(
          "process a 1\n1000-2000 rw-p 0 0 - : a1\nprocess b 2\n1000-3000 rw-p 0 0 - : a1 a1\n"));
  EXPECT_EQ(command({"--count", "--pid", "2", input, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(content("out"), "User space pages: 2\n");
}

TEST_F(RunTest, PrintsMapsOfFigure4) {
  const std::string input = write("s.txt", kSample);
  EXPECT_EQ(command({"--vma", "--pid", "371", input, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(content("out"), R"(cat (371)
  55D0C1A00000-55D0C1A01FFF .Xr... 2 pages, 2 resident  /usr/bin/cat
    55D0C1A00000 |22                                                              |
  7FFD3E000000-7FFD3E020FFF S.rw.. 33 pages, 1 resident, 1 swapped  [stack]
    7FFD3E000000 |................................1                               |
cat (371): 3 physical pages, 1 single usage and 2 shared usage, 1 swapped
pages by number of mappings  1: 1  2: 2  3: 0  4: 0  5: 0  6: 0  7: 0  8: 0  9: 0  #: 0

)");
}

}  // namespace
}  // namespace physmem
