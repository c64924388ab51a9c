// SPDX-License-Identifier: MIT
#include "formats/output/open_output.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#ifdef PHYSMEM_HAVE_ZSTD
#include <zstd.h>
#endif

#include "formats/compact/encoder.h"
#include "program/unique_fd.h"

namespace physmem::collect {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Provides an empty directory for each test.
class OutputTest : public testing::Test {
 protected:
  OutputTest() {
    std::string name = testing::TempDir() + "/physmem-output-XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~OutputTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_))
      found.push_back(entry.path().filename().string());
    return found;
  }
  std::string content(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  mode_t mode(const std::string& name) const {
    struct stat status {};
    ::lstat(path(name).c_str(), &status);
    return status.st_mode & 07777;
  }

  std::string folder_;
};

TEST_F(OutputTest, CreatesFileOnFinishWithMode0600) {
  auto output = open_output(path("s.txt"));
  ASSERT_TRUE(output);
  ASSERT_EQ((*output)->write("H: 2\n"), 0);
  EXPECT_FALSE(fs::exists(path("s.txt")));
  ASSERT_EQ((*output)->finish(), 0);
  EXPECT_THAT(names(), ElementsAre("s.txt"));
  EXPECT_EQ(content("s.txt"), "H: 2\n");
  EXPECT_EQ(mode("s.txt"), 0600u);
}

TEST_F(OutputTest, KeepsOldFileAndRemovesTemporaryFileIfNotFinished) {
  std::ofstream(path("s.txt")) << "old";
  {
    auto output = open_output(path("s.txt"));
    ASSERT_TRUE(output);
    ASSERT_EQ((*output)->write("new"), 0);
  }
  EXPECT_THAT(names(), ElementsAre("s.txt"));
  EXPECT_EQ(content("s.txt"), "old");
}

TEST_F(OutputTest, ReportsFileSizeLimitAndRemovesFile) {
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{1000, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  {
    auto output = open_output(path("s.txt"));
    const int error = output ? (*output)->write(std::string(5000, 'x')) : -1;
    ::setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_EQ(error, EFBIG);
    EXPECT_THAT(output_error(**output, error).text, HasSubstr("s.txt: File too large"));
  }
  std::signal(SIGXFSZ, ignored);
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(OutputTest, CanBeTruncatedAfterLastCompleteSnapshotInCompactFormat) {
  auto output = open_output(path("s.pmc"), SnapshotForm::kCompact);
  ASSERT_TRUE(output);
  for (const char* text : {"T: one\n", "T: two\n"}) {
    ASSERT_EQ((*output)->write(text), 0);
    ASSERT_EQ((*output)->mark_whole(), 0);
  }
  ASSERT_EQ((*output)->write(std::string(500000, 'x')), 0);
  ASSERT_TRUE((*output)->keep_whole());
  ASSERT_EQ((*output)->finish(), 0);
  std::string expected;
  for (const char* text : {"T: one\n", "T: two\n"}) {
    compact::Encoder encoder;
    encoder.write(text, expected);
    encoder.finish(expected);
  }
  EXPECT_EQ(content("s.pmc"), expected);
}

TEST_F(OutputTest, CanBeTruncatedAfterLastCompleteSnapshot) {
  auto output = open_output(path("s.txt"));
  ASSERT_TRUE(output);
  for (const char* text : {"one\n", "two\n"}) {
    ASSERT_EQ((*output)->write(text), 0);
    ASSERT_EQ((*output)->mark_whole(), 0);
  }
  ASSERT_EQ((*output)->write("thr"), 0);
  ASSERT_TRUE((*output)->keep_whole());
  ASSERT_EQ((*output)->finish(), 0);
  EXPECT_EQ(content("s.txt"), "one\ntwo\n");
}

TEST_F(OutputTest, ReportsWhetherPipeReaderReceivedPartialSnapshot) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto output = stream_output(ends[1], "pipe");
  ASSERT_EQ(output->write("one\n"), 0);
  ASSERT_EQ(output->mark_whole(), 0);
  EXPECT_TRUE(output->keep_whole());
  ASSERT_EQ(output->write("tw"), 0);
  EXPECT_FALSE(output->keep_whole());
  EXPECT_EQ(output->reader_fd(), ends[1]);
  ::close(ends[0]);
  EXPECT_EQ(output->finish(), 0);
}

TEST_F(OutputTest, DoesNotFollowOrReplaceLinkOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a link of another user";
  std::ofstream(path("victim")) << "precious";
  fs::create_symlink(path("victim"), path("s.txt"));
  fs::create_symlink(path("nothing"), path("dangling.zst"));
  for (const char* link : {"s.txt", "dangling.zst"})
    ASSERT_EQ(::lchown(path(link).c_str(), 65534, 65534), 0);
  EXPECT_THAT(
      open_output(path("s.txt")).error().text,
      HasSubstr("s.txt: s.txt is a symbolic link of user 65534, who can make it lead anywhere"));
  EXPECT_FALSE(open_output(path("dangling.zst")));
  EXPECT_EQ(content("victim"), "precious");
  EXPECT_TRUE(fs::is_symlink(path("s.txt")));
  EXPECT_FALSE(fs::exists(path("nothing")));
}

TEST_F(OutputTest, FollowsAndKeepsLinkOfSameUser) {
  fs::create_symlink("s.txt", path("latest.txt"));
  auto output = open_output(path("latest.txt"));
  ASSERT_TRUE(output);
  ASSERT_EQ((*output)->write("H: 2\n"), 0);
  ASSERT_EQ((*output)->finish(), 0);
  EXPECT_EQ(content("s.txt"), "H: 2\n");
  EXPECT_TRUE(fs::is_symlink(path("latest.txt")));
}

TEST_F(OutputTest, WritesOnlyToFifoOfSameUser) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0666), 0);
  const UniqueFd reader(::open(path("fifo").c_str(), O_RDONLY | O_NONBLOCK));
  EXPECT_TRUE(open_output(path("fifo")));
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a FIFO of another user";
  ASSERT_EQ(::chown(path("fifo").c_str(), 65534, 65534), 0);
  EXPECT_THAT(open_output(path("fifo")).error().text,
              HasSubstr("fifo: it is a FIFO of user 65534"));
}

TEST_F(OutputTest, KeepsModeOfReplacedFile) {
  std::ofstream(path("s.txt")) << "old";
  ::chmod(path("s.txt").c_str(), 0644);
  auto output = open_output(path("s.txt"));
  ASSERT_TRUE(output);
  ASSERT_EQ((*output)->finish(), 0);
  EXPECT_EQ(mode("s.txt"), 0644u);
  EXPECT_EQ(content("s.txt"), "");
}

TEST_F(OutputTest, WritesToDeviceWithoutReplacingIt) {
  auto output = open_output("/dev/null");
  ASSERT_TRUE(output);
  EXPECT_EQ((*output)->write("x"), 0);
  EXPECT_EQ((*output)->finish(), 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  auto full = open_output("/dev/full");
  ASSERT_TRUE(full);
  EXPECT_EQ((*full)->write("x"), ENOSPC);
  EXPECT_THAT(output_error(**full, ENOSPC).text,
              HasSubstr("/dev/full: No space left on device; make room"));
}

TEST_F(OutputTest, RejectsMissingDirectoryAndDirectoryAsFile) {
  EXPECT_THAT(open_output(path("no/s.txt")).error().text,
              HasSubstr("no/s.txt: No such file or directory"));
  EXPECT_THAT(open_output(folder_).error().text, HasSubstr("Is a directory"));
}

TEST_F(OutputTest, ReportsClosedPipeWithoutMessage) {
  auto output = open_output(path("s.txt"));
  EXPECT_EQ(output_error(**output, EPIPE).text, "");
  EXPECT_EQ(output_error(**output, EPIPE).kind, Error::Kind::kIo);
}

#ifdef PHYSMEM_HAVE_ZSTD
TEST_F(OutputTest, CompressesIfNameEndsInZst) {
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += "7FFD3E020000=" + std::to_string(i * 7919) + ", 1, 00005868 | ";
  auto output = open_output(path("s.zst"));
  ASSERT_TRUE(output);
  for (std::size_t at = 0; at < text.size(); at += 100'001)
    ASSERT_EQ((*output)->write(std::string_view(text).substr(at, 100'001)), 0);
  ASSERT_EQ((*output)->mark_whole(), 0);
  ASSERT_EQ((*output)->finish(), 0);
  const std::string packed = content("s.zst");
  EXPECT_LT(packed.size(), text.size() / 4);
  std::string unpacked(text.size() + 1, '\0');
  const std::size_t size = [&] {
    ZSTD_DCtx* context = ZSTD_createDCtx();
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{unpacked.data(), unpacked.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context, &out, &in);
    ZSTD_freeDCtx(context);
    return left == 0 ? out.pos : 0;  // the frame is complete if 0 bytes are left
  }();
  unpacked.resize(size);
  EXPECT_TRUE(unpacked == text);
}

TEST_F(OutputTest, CanBeTruncatedAfterLastCompleteSnapshotIfCompressed) {
  const std::string piece(300'000, 'x');
  for (const bool is_truncated : {false, true}) {
    auto output = open_output(path(is_truncated ? "cut.zst" : "whole.zst"));
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ((*output)->write(piece), 0);
      ASSERT_EQ((*output)->mark_whole(), 0);
    }
    if (is_truncated) {
      ASSERT_EQ((*output)->write("not whole"), 0);
      ASSERT_TRUE((*output)->keep_whole());
    }
    ASSERT_EQ((*output)->finish(), 0);
  }
  EXPECT_EQ(content("cut.zst"), content("whole.zst"));
}

#else
TEST_F(OutputTest, RejectsZstNameIfBuiltWithoutZstd) {
  EXPECT_THAT(open_output(path("s.zst")).error().text, HasSubstr("built without zstd"));
}
#endif

}  // namespace
}  // namespace physmem::collect
