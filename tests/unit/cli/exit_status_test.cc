// SPDX-License-Identifier: MIT
// Every exit status of the help page, and the messages on standard error.
#include <csignal>

#include "tests/unit/cli/command_run.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using ExitStatus = CommandRun;

constexpr std::string_view kPrivateText =
    "process a 1\n1000-2000 r-xp 0 20 /nonexistent/a.so : a1\n";

TEST_F(ExitStatus, Is0OnSuccess) {
  EXPECT_EQ(command({write("s.txt", kSample), "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(messages_, "");
}

TEST_F(ExitStatus, Is1IfAlertsAreFoundWithFailOnAlert) {
  const std::string input = write("s.txt", maps_snapshot(kPrivateText));
  EXPECT_EQ(command({"--alerts", "--fail-on-alert", input, "-o", path("out")}), Exit::kAlerts);
  EXPECT_EQ(command({"--alerts", input, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(command({"--alerts", "--fail-on-alert", write("good.txt", kSample), "-o", path("out")}),
            Exit::kDone);
}

TEST_F(ExitStatus, Is1ByPaperRuleIfExactRuleDoesNotApply) {
  const std::string input = write("s.txt", R"(T: a, 1, 1, 0, 0, 0, 0, 0, 0, 0
V: 00001000, 00002FFF, 00002000, 00000000, 00000412, 00000077, /lib/libc-2.2.5.so
M: 00001000=00001000, 1, 0 | 00002000=00002000, 6, 0 |
)");
  EXPECT_EQ(command({"--alerts", "--fail-on-alert", input, "-o", path("out")}), Exit::kAlerts);
}

TEST_F(ExitStatus, Is2ForWrongUsage) {
  EXPECT_EQ(command({"--nonsense"}), Exit::kUsage);
  EXPECT_NE(messages_.find("--help lists all options"), std::string::npos);
  const std::string input = write("s.txt", kSample);
  EXPECT_EQ(command({"--alerts", "--png", input, "-o", path("out")}), Exit::kUsage);
  EXPECT_EQ(messages_,
            "physmem-analyze: --alerts has no form --png: these have: --ask ps, --ask units, "
            "--ask users, --ask cgroups, --basic, --vma, --units, --totals, --ask ledger, "
            "--ask cache, --ask slab, --ask kernel, --ask fragmentation, --ask faults, "
            "--ask diff, --ask leaks\n");
  EXPECT_EQ(command({"--track", path("t.csv"), "--png", input}), Exit::kUsage);
  EXPECT_FALSE(exists("out") || exists("t.csv"));
}

TEST_F(ExitStatus, Is3ForBadInputAndOutputIsUnchanged) {
  write("out", "from before");
  const std::string input = write("s.txt", kSample.substr(0, kSample.size() - 17));
  EXPECT_EQ(command({"--basic", input, "-o", path("out")}), Exit::kBadInput);
  EXPECT_EQ(messages_, "physmem-analyze: " + input +
                           ":13:1: the snapshot ends without its E: record: it was cut short\n");
  EXPECT_EQ(content("out"), "from before");
  EXPECT_EQ(command({write("empty", ""), "-o", path("out")}), Exit::kBadInput);
  EXPECT_EQ(command({write("p.png", "\x89PNG\r\n\x1a\n"), "-o", path("out")}), Exit::kBadInput);
}

TEST_F(ExitStatus, Is3ForTruncatedCompressedFile) {
  const std::string input =
      write("s.gz", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10));
  EXPECT_EQ(command({input, "-o", path("out")}), Exit::kBadInput);
  EXPECT_EQ(messages_, "physmem-analyze: " + input + ": the compressed data is cut short\n");
}

TEST_F(ExitStatus, Is4ForUnreadableInput) {
  EXPECT_EQ(command({path("missing"), "-o", path("out")}), Exit::kIo);
  EXPECT_EQ(messages_,
            "physmem-analyze: " + path("missing") + ": cannot open: No such file or directory\n");
  EXPECT_EQ(command({"--fleet", path("missing"), "-o", path("out")}), Exit::kIo);
  EXPECT_EQ(messages_,
            "physmem-analyze: " + path("missing") + ": cannot open: No such file or directory\n");
}

TEST_F(ExitStatus, Is4ForUnwritableOutput) {
  const std::string input = write("s.txt", kSample);
  EXPECT_EQ(command({input, "-o", path("no/such/folder/out")}), Exit::kIo);
  EXPECT_NE(messages_, "");
  EXPECT_EQ(command({input, "-o", "/dev/full"}), Exit::kIo);
  EXPECT_NE(messages_.find("No space left on device"), std::string::npos) << messages_;
}

TEST_F(ExitStatus, Is4ForUnwritablePicture) {
  const std::string input = write("s.txt", kSample);
  for (const char* form : {"--ps", "--pdf", "--svg", "--png"}) {
    EXPECT_EQ(command({"--basic", form, input, "-o", "/dev/full"}), Exit::kIo);
    EXPECT_EQ(messages_, "physmem-analyze: cannot write /dev/full: No space left on device\n")
        << form;
  }
}

TEST_F(ExitStatus, Is4WithoutMessageIfPipeHasNoReader) {
  std::signal(SIGPIPE, SIG_IGN);  // as main() does
  const std::string input = write("s.txt", kSample);
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  close(pipe_ends[0]);
  EXPECT_EQ(command({input, "-o", "/dev/fd/" + std::to_string(pipe_ends[1])}), Exit::kIo);
  EXPECT_EQ(messages_, "");
  close(pipe_ends[1]);
}

TEST_F(ExitStatus, Is5IfLinesAreDropped) {
  const std::string input = write("s.txt", with(kSample, "T: kswapd0", "garbage\nT: kswapd0"));
  EXPECT_EQ(command({"--count", "--keep-going", input, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_EQ(content("out"), "User space pages: 3\n");
  EXPECT_EQ(messages_, "physmem-analyze: " + input + ": 1 line dropped, the first because of " +
                           input +
                           ":12:1: found \"garbage\", expected a record: a letter and a colon\n");
}

TEST_F(ExitStatus, Is5ForTruncatedSnapshotWithKeepGoing) {
  const std::string input = write("s.txt", kSample.substr(0, kSample.size() - 17));
  EXPECT_EQ(command({"--keep-going", input, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_NE(content("out").find("Missing        the snapshot was cut short: "), std::string::npos)
      << content("out");
}

TEST_F(ExitStatus, Is5IfProcessOfPidIsNotFound) {
  const std::string input = write("s.txt", kSample);
  EXPECT_EQ(command({"--count", "--pid", "371,372,4711", input, "-o", path("out")}),
            Exit::kDataMissing);
  EXPECT_EQ(content("out"), "User space pages: 3\n");
  EXPECT_EQ(messages_, "physmem-analyze: " + input +
                           ": --pid: no address space belongs to processes 372, 4711\n");
  EXPECT_EQ(command({"--count", "--pid", "4711", input, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_EQ(messages_,
            "physmem-analyze: " + input + ": --pid: no address space belongs to process 4711\n");
}

TEST_F(ExitStatus, Is0ForProcessesWithoutMemoryWhichMessagesName) {
  const std::string input =
      write("s.txt",
            with(kSample, "E: 2, 2, 3, 1, 0",
                 "T: sh      , 80, 00000000, 0, 5, 0, 0, 0, 0, 0, 80, 31, 371, 0, 5, 0, 0, 0, /\n"
                 "E: 3, 2, 3, 1, 0"));
  EXPECT_EQ(command({"--processes", "--pid", "52,80", input, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(messages_, "physmem-analyze: " + input +
                           ": process 52 (kswapd0) is a kernel thread, which has no memory of its "
                           "own\nphysmem-analyze: " +
                           input +
                           ": process 80 (sh) has ended and has no memory; its parent has not "
                           "waited for it (zombie)\n");
  EXPECT_EQ(command({"--processes", "--command", "kswapd*", input, "-o", path("out")}),
            Exit::kDone);
  EXPECT_EQ(messages_, "physmem-analyze: " + input +
                           ": no process with memory matches --command, only kernel threads and "
                           "processes that have ended\n");
  EXPECT_EQ(command({"--processes", input, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(messages_, "");
}

TEST_F(ExitStatus, Is5IfDumpIsIncomplete) {
  const std::string input =
      write("s.txt", with(kSample, "E: 2, 2, 3, 1, 0",
                          "G: note.corrupt=1, note.data_excluded=4, note.frame_excluded=2, "
                          "note.name_excluded=3, note.table_excluded=1\n"
                          "E: 2, 2, 3, 1, 0, 1"));
  EXPECT_EQ(command({"--count", input, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_EQ(content("out"), "User space pages: 3\n");
  const std::string begin = "physmem-analyze: " + input + ": ";
  EXPECT_EQ(
      messages_,
      begin + "1 page whose contents are not in the dump; they are not needed\n" + begin +
          "1 place in inconsistent lists, trees and tables; not followed\n" + begin +
          "4 reads of kernel data that is not in the dump; counts are lower bounds\n" + begin +
          "2 pages without count and flags, because the dump lacks the kernel's data on them\n" +
          begin + "3 names that could not be read from the dump: [name not in dump]\n" + begin +
          "1 page table that is not in the dump; the pages that it maps are left out\n");
}

TEST_F(ExitStatus, Is5IfAnswerRequiresMissingPages) {
  const std::string input =
      write("s.txt", with(kHeaderLine, "pages=all, pfn=shown", "pages=none, pfn=hidden") +
                         std::string(kTaskLine) + "E: 1, 0, 0, 0, 0\n");
  EXPECT_EQ(command({"--count", input, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_NE(messages_.find("frame numbers"), std::string::npos);
  EXPECT_EQ(command({"--basic", input, "-o", path("out")}), Exit::kDone)
      << "the P: counts are sufficient for this";
}

TEST_F(ExitStatus, Is5IfAnswerRequiresMissingAreas) {
  const std::string input =
      write("s.txt", R"(H: 2, page_size=4096, hz=100, ram_pages=1000, pages=none, areas=none
T: cat     , 371, 00000173, 1, 92, 0, 0, 0, 0, 0, 371, 8639981, 370, 0, 92, 0, 0, 0, /
E: 1, 0, 0, 0, 0
)");
  for (const char* question :
       {"--summary", "--basic", "--vma", "--units", "--totals", "--alerts", "--count", "--pages"}) {
    EXPECT_EQ(command({question, input, "-o", path("out")}), Exit::kDataMissing) << question;
    const std::string output = messages_ + content("out");
    EXPECT_NE(output.find("the snapshot lists no areas (areas=none), only tasks and counters"),
              std::string::npos)
        << question;
  }
  EXPECT_EQ(command({"--basic", input, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_NE(content("out").find("\ncat,,,, cat,,,,,,,,,\n"), std::string::npos) << content("out");
}

}  // namespace
}  // namespace physmem
