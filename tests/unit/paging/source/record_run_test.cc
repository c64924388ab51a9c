// SPDX-License-Identifier: MIT
// The program on files: its output, messages and exit status.
#include "tools/trace/run.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "paging/write/trace_file.h"
#include "program/unique_fd.h"
#include "tests/unit/paging/source/proc_fixture.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/trace_text.h"

namespace physmem::record {
namespace {

using ::testing::HasSubstr;

/// kTrace without its loss.
std::string whole_trace() {
  return with(with(kTrace, "L: 8102000000, 1, 17\n", ""), "E: 2, 1, 17", "E: 2, 1, 0");
}

struct Outcome {
  Exit exit = Exit::kDone;
  std::string output;
  std::string messages;
};

class TraceRun : public testing::Test {
 protected:
  Outcome replay(const std::string& trace, Options options = {}) {
    files_.write("in.trace", trace);
    options.replay = files_.root() + "/in.trace";
    options.output = files_.root() + "/out";
    std::ostringstream messages;
    Outcome outcome;
    outcome.exit = run(options, messages);
    outcome.messages = messages.str();
    std::ifstream in(options.output);
    outcome.output.assign(std::istreambuf_iterator<char>(in), {});
    return outcome;
  }
  ProcFixture files_;
};

TEST_F(TraceRun, ConvertsAndPrintsTotals) {
  const Outcome outcome = replay(whole_trace());
  EXPECT_EQ(outcome.exit, Exit::kDone);
  EXPECT_EQ(outcome.output, whole_trace());
  EXPECT_EQ(
      outcome.messages,
      "physmem-trace: 2 swap-ins, 1 swap-outs, 0 faults that moved no page in 0.0 s, 0 lost\n");
}

TEST_F(TraceRun, ReportsMissingEvents) {
  const Outcome outcome = replay(std::string(kTrace));
  EXPECT_EQ(outcome.exit, Exit::kDataMissing);
  EXPECT_EQ(outcome.output, kTrace);
  EXPECT_THAT(outcome.messages, HasSubstr("17 events were lost"));
}

TEST_F(TraceRun, KeepsAnOlderFileForAMalformedTrace) {
  files_.write("out", "older");
  const Outcome outcome = replay(with(kTrace, "io mapped", "mopped"));
  EXPECT_EQ(outcome.exit, Exit::kBadInput);
  EXPECT_EQ(outcome.output, "older");
  EXPECT_THAT(outcome.messages, HasSubstr("in.trace:3:84: O: flags: found \"mopped\""));
}

TEST_F(TraceRun, AcceptsATruncatedTraceWithKeepGoing) {
  const std::string cut = whole_trace().substr(0, whole_trace().find("E:"));
  EXPECT_EQ(replay(cut).exit, Exit::kBadInput);
  Options options;
  options.keep_going = true;
  const Outcome outcome = replay(cut, options);
  EXPECT_EQ(outcome.exit, Exit::kDataMissing);
  EXPECT_EQ(outcome.output, whole_trace());
  EXPECT_THAT(outcome.messages, HasSubstr("the end of the trace is missing"));
}

TEST_F(TraceRun, KeepsTheEventsOfSomeProcesses) {
  Options options;
  options.pids = {372};
  EXPECT_EQ(replay(whole_trace(), options).output.find("O: "), std::string::npos);
  options.pids = {1, 371};
  EXPECT_EQ(replay(whole_trace(), options).output, whole_trace());
}

TEST_F(TraceRun, InfersOwnersFromSnapshots) {
  const std::string snapshot =
      std::string(kHeaderLine) + std::string(kTaskLine) +
      "V: 00001000, 00001FFF, 00001000, 00001000, 00000000, 00000003, NULL, 00000000, 00:00, 0\n"
      "P: 1, 0, 0, 1, 0, 0\nM: 00001000=00042000, 1, 00001000 |\nE: 1, 1, 1, 0, 0\n";
  files_.write("snap.txt", snapshot);
  const std::string trace =
      "H: 1, trace=paging, arch=, page_size=4096, kernel=, source=, memory_bytes=0, frames_end=0, "
      "wall_offset_ns=0\n"
      "O: 1, 5, 0, -, -, , -, 00000042, -:-, -, io, -\nE: 0, 1, 0\n";
  Options options;
  options.owners = files_.root() + "/snap.txt";
  EXPECT_THAT(replay(trace, options).output,
              HasSubstr("O: 1, 5, 0, 7, 7, cat, 00001000, 00000042, -:-, -, io kept, -"));
  options.owners = files_.root() + "/in.trace";
  const Outcome refused = replay(trace, options);
  EXPECT_EQ(refused.exit, Exit::kBadInput);
  EXPECT_THAT(refused.messages, HasSubstr("this is a paging trace, expected a snapshot"));
}

TEST_F(TraceRun, KeepsAnOlderFileWhenARecordingCannotStart) {
  files_.write("kept", "an older recording");
  Options options;
  options.output = files_.root() + "/kept";
  options.owners = "/nowhere/snap.txt";
  std::ostringstream messages;
  EXPECT_EQ(run(options, messages), Exit::kIo);
  std::ifstream in(options.output);
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "an older recording");
}

TEST(TraceFile, EmptiesAnExistingFileAndKeepsItsMode) {
  ProcFixture files;
  files.write("t.trace", "longer than what follows");
  const std::string path = files.root() + "/t.trace";
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  TraceFile file(path, true);
  ASSERT_EQ(file.begin(), "");
  TraceFile other(path, true);
  EXPECT_THAT(other.begin(), HasSubstr("another program records into it"));
  file.stream() << "short";
  EXPECT_EQ(file.commit(), "");
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "short");
  struct stat status = {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644u);
}

TEST(TraceFile, RejectsALinkAndAFifoOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make files of another user";
  ProcFixture files;
  files.write("precious", "text");
  const std::string link = files.root() + "/link.trace", fifo = files.root() + "/fifo.trace";
  ASSERT_EQ(::symlink("precious", link.c_str()), 0);
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0666), 0);
  for (const std::string& path : {link, fifo}) ASSERT_EQ(::lchown(path.c_str(), 65534, 65534), 0);
  EXPECT_THAT(TraceFile(link, true).begin(),
              HasSubstr("link.trace is a symbolic link of user 65534"));
  EXPECT_THAT(TraceFile(fifo, true).begin(), HasSubstr("it is a FIFO of user 65534"));
  std::ifstream in(files.root() + "/precious");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "text");
}

TEST(TraceFile, AppendsAtThePositionOfAnOpenDescriptor) {
  ProcFixture files;
  files.write("log", "first, ");
  const std::string path = files.root() + "/log";
  const UniqueFd log(::open(path.c_str(), O_WRONLY | O_APPEND));
  TraceFile file("/dev/fd/" + std::to_string(log.get()), true);
  ASSERT_EQ(file.begin(), "");
  file.stream() << "then";
  EXPECT_EQ(file.commit(), "");
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "first, then");
}

TEST_F(TraceRun, CreatesTracesWithMode0600AndReportsByTheUmask) {
  const mode_t before = ::umask(022);
  for (const auto& [form, mode] :
       {std::pair(Form::kText, 0600u), std::pair(Form::kSummary, 0644u)}) {
    std::remove((files_.root() + "/out").c_str());
    Options options;
    options.form = form;
    EXPECT_EQ(replay(whole_trace(), options).exit, Exit::kDone);
    struct stat status = {};
    ASSERT_EQ(::stat((files_.root() + "/out").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, mode);
  }
  ::umask(before);
}

TEST_F(TraceRun, ReportsEventsThatAFormOmits) {
  Options options;
  options.form = Form::kPftrace;
  const Outcome outcome = replay(whole_trace(), options);
  EXPECT_EQ(outcome.exit, Exit::kDone);
  EXPECT_THAT(outcome.messages, HasSubstr("1 events cannot be expressed in the paper's lines"));
}

TEST_F(TraceRun, ReportsSkippedLinesOfALog) {
  const Outcome outcome = replay("a line\npGswAPoUT 1.000002 00000003 00000004\n");
  EXPECT_EQ(outcome.exit, Exit::kDone);
  EXPECT_THAT(outcome.messages, HasSubstr("1 lines of the log have no record"));
}

}  // namespace
}  // namespace physmem::record
