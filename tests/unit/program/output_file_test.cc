// SPDX-License-Identifier: MIT
#include "program/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace physmem {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::string name = testing::TempDir() + "output-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    std::signal(SIGPIPE, SIG_IGN);
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(in_folder(name)) << text;
  }

  std::string content(const std::string& name) const {
    std::ifstream in(in_folder(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsWholeAtCommit) {
  OutputFile file(in_folder("report.csv"));
  file.stream() << "Name, Total\n" << std::flush;
  EXPECT_FALSE(fs::exists(in_folder("report.csv")));
  EXPECT_EQ(file.commit(), "");
  EXPECT_EQ(content("report.csv"), "Name, Total\n");
  EXPECT_THAT(files(), ElementsAre("report.csv"));
}

TEST_F(OutputFileTest, GivesReportsTheModeOfTheUmaskAndSnapshotsMode0600) {
  const mode_t before = ::umask(022);
  EXPECT_EQ(OutputFile(in_folder("report.csv")).commit(), "");
  EXPECT_EQ(OutputFile(in_folder("page.html"), OutputKind::kSnapshot).commit(), "");
  ::umask(before);
  EXPECT_EQ(fs::status(in_folder("report.csv")).permissions(), fs::perms(0644));
  EXPECT_EQ(fs::status(in_folder("page.html")).permissions(), fs::perms(0600));
}

TEST_F(OutputFileTest, RejectsALinkOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a link of another user";
  put("real.csv", "older");
  fs::create_symlink("real.csv", in_folder("link.csv"));
  ASSERT_EQ(::lchown(in_folder("link.csv").c_str(), 65534, 65534), 0);
  OutputFile file(in_folder("link.csv"));
  EXPECT_THAT(file.error(),
              HasSubstr("link.csv: link.csv is a symbolic link of user 65534, who can"));
  EXPECT_FALSE(file.stream().good());
  EXPECT_EQ(content("real.csv"), "older");
}

TEST_F(OutputFileTest, LeavesNothingWithoutCommit) {
  put("report.csv", "older");
  { OutputFile(in_folder("report.csv")).stream() << "half a report" << std::flush; }
  EXPECT_EQ(content("report.csv"), "older");
  EXPECT_THAT(files(), ElementsAre("report.csv"));
}

TEST_F(OutputFileTest, LeavesTheOlderFileWhenAWriteFails) {
  put("report.csv", "older");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1 << 20, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  {
    OutputFile file(in_folder("report.csv"));
    file.stream() << std::string(3 << 20, 'x');
    EXPECT_FALSE(file.stream().good());
    EXPECT_THAT(file.commit(), EndsWith("report.csv: File too large"));
  }
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(content("report.csv"), "older");
  EXPECT_THAT(files(), ElementsAre("report.csv"));
}

TEST_F(OutputFileTest, WritesTextLargerThanItsBuffer) {
  std::string expected;
  OutputFile file(in_folder("pages.txt"));
  for (int i = 0; i < 300; ++i) {
    const std::string piece(static_cast<std::size_t>(i * 37), static_cast<char>('a' + i % 26));
    file.stream() << piece << '\n';
    expected += piece + '\n';
  }
  const std::string large(700'001, 'L');
  file.stream() << large;
  EXPECT_EQ(file.commit(), "");
  EXPECT_EQ(content("pages.txt"), expected + large);
}

TEST_F(OutputFileTest, ReportsImmediatelyThatItCannotBeOpened) {
  OutputFile file(in_folder("no such folder/report.csv"));
  EXPECT_THAT(file.error(), EndsWith("no such folder/report.csv: No such file or directory"));
  EXPECT_FALSE(file.stream().good());
  EXPECT_EQ(file.commit(), file.error());
}

TEST_F(OutputFileTest, RejectsADirectory) {
  EXPECT_THAT(OutputFile(folder_).error(), EndsWith(": Is a directory"));
}

TEST_F(OutputFileTest, AcceptsANameOf255Bytes) {
  const std::string longest(255, 'n');
  EXPECT_EQ(OutputFile(in_folder(longest)).commit(), "");
  EXPECT_THAT(files(), ElementsAre(longest));
}

TEST_F(OutputFileTest, ReplacesTheTargetOfALinkAndKeepsTheLink) {
  put("real.csv", "older");
  fs::create_symlink("real.csv", in_folder("link.csv"));
  OutputFile file(in_folder("link.csv"));
  file.stream() << "newer";
  EXPECT_EQ(file.commit(), "");
  EXPECT_TRUE(fs::is_symlink(in_folder("link.csv")));
  EXPECT_EQ(content("real.csv"), "newer");
}

TEST_F(OutputFileTest, CreatesTheTargetOfADanglingLink) {
  fs::create_symlink("real.csv", in_folder("link.csv"));
  EXPECT_EQ(OutputFile(in_folder("link.csv")).commit(), "");
  EXPECT_THAT(files(), ElementsAre("link.csv", "real.csv"));
  EXPECT_TRUE(fs::is_symlink(in_folder("link.csv")));
}

TEST_F(OutputFileTest, ReportsAFullDevice) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  OutputFile file("/dev/full");
  file.stream() << "anything";
  EXPECT_EQ(file.commit(), "cannot write /dev/full: No space left on device");
  EXPECT_FALSE(file.closed_pipe());
  EXPECT_TRUE(fs::is_character_file("/dev/full")) << "it must not have been renamed over";
}

TEST_F(OutputFileTest, ReportsAClosedPipeSeparately) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  OutputFile file("/dev/fd/" + std::to_string(ends[1]));
  file.stream() << "to nobody";
  EXPECT_THAT(file.commit(), EndsWith(": Broken pipe"));
  EXPECT_TRUE(file.closed_pipe());
  ::close(ends[1]);
}

TEST_F(OutputFileTest, WritesIntoAFifo) {
  ASSERT_EQ(::mkfifo(in_folder("fifo").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = content("fifo"); });
  {
    OutputFile file(in_folder("fifo"));
    file.stream() << "through the pipe";
    EXPECT_EQ(file.commit(), "");
  }
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(in_folder("fifo")));
}

TEST_F(OutputFileTest, AppendsAtThePositionOfAnOpenDescriptor) {
  put("log", "first, ");
  const int log = ::open(in_folder("log").c_str(), O_WRONLY | O_APPEND);
  OutputFile file("/proc/self/fd/" + std::to_string(log));
  file.stream() << "then";
  EXPECT_EQ(file.commit(), "");
  ::close(log);
  EXPECT_EQ(content("log"), "first, then");
}

TEST_F(OutputFileTest, WritesToStandardOutputForADash) {
  testing::internal::CaptureStdout();
  OutputFile file("-");
  file.stream() << "on the screen";
  EXPECT_EQ(file.commit(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "on the screen");
}

}  // namespace
}  // namespace physmem
