// SPDX-License-Identifier: MIT
// A memory-mapped file gives the same results as reading, also if it is truncated in the meantime
// (SIGBUS).
#include "analyzer/parse/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "analyzer/parse/open_source.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// A file for one test.
class File {
 public:
  explicit File(std::string_view text)
      : path_(std::filesystem::path(testing::TempDir()) /
              ("physmem_mapped_" + std::to_string(getpid()))) {
    std::ofstream(path_) << text;
    fd_ = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  }
  ~File() {
    close(fd_);
    std::filesystem::remove(path_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  std::string path() const { return path_.string(); }
  void cut(std::size_t size) const { ASSERT_EQ(ftruncate(fd_, static_cast<off_t>(size)), 0); }

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

std::string letters(std::size_t n) {
  std::string text(n, ' ');
  for (std::size_t i = 0; i < n; ++i) text[i] = static_cast<char>('a' + i * 7 % 26);
  return text;
}

/// 60,000 pages in VMAs of 500 pages, with one M: line per VMA: 2.3 MB.
std::string long_snapshot() {
  std::string text(std::string(kHeaderLine) + std::string(kTaskLine));
  for (std::uint64_t area = 0; area < 120; ++area) {
    const std::uint64_t start = 0x10000000 + area * 0x1000000;
    text += fmt::format(
        "V: {:08X}, {:08X}, 00FA0000, 001F4000, 00000000, 00000003, NULL, 00000000, 00:00, 0\n"
        "P: 500, 0, 0, 500, 0, 0\nM:",
        start, start + 0xF9FFFF);
    for (std::uint64_t i = 0; i < 500; ++i)
      text += fmt::format(" {:08X}={:X}, 1, 00000868 |", start + i * 4096,
                          0x100000000 + (area * 500 + i) * 4096);
    text += '\n';
  }
  return text + "E: 1, 120, 60000, 0, 0\n";
}

TEST(MappedFile, GivesEveryByteAndAMarginOfZeros) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const std::size_t size :
       {std::size_t{1}, page - 1, page, page + 1, 20 * page, 20 * page + 5}) {
    const File file(letters(size));
    MappedFile mapped(file.fd());
    const std::string_view text = mapped.text();
    ASSERT_NE(text.data(), nullptr);
    EXPECT_TRUE(text == letters(size)) << size;
    int seen = 0;
    for (std::size_t i = 1; i <= MappedFile::kMargin; ++i)
      seen |= *(text.data() - i) | *(text.data() + size + i - 1);
    EXPECT_EQ(seen, 0);
  }
}

TEST(MappedFile, ReadsReleasedPagesAgain) {
  const std::string letter = letters(1 << 20);
  const File file(letter);
  MappedFile mapped(file.fd());
  EXPECT_TRUE(mapped.text() == letter);
  for (const std::size_t offset : {0, 1, 5000, 100000, 90000, 1 << 20}) mapped.release(offset);
  EXPECT_TRUE(mapped.text() == letter);
}

TEST(MappedFile, IsEmptyForAnEmptyOrInvalidFile) {
  const File file("");
  EXPECT_EQ(MappedFile(file.fd()).text().data(), nullptr);
  EXPECT_EQ(MappedFile(-1).text().data(), nullptr);
}

TEST(MappedFile, ReadsZerosAfterTruncation) {
  const std::string letter = letters(100000);
  const File file(letter);
  MappedFile mapped(file.fd());
  EXPECT_EQ(mapped.text()[99999], letter[99999]);
  EXPECT_FALSE(mapped.was_cut());
  file.cut(10000);
  EXPECT_EQ(mapped.text()[9000], letter[9000]);
  EXPECT_EQ(mapped.text()[99999], '\0');
  EXPECT_TRUE(mapped.was_cut());
}

TEST(MappedFile, DoesNotHandleOtherSigbus) {
  const File file(letters(5000));
  MappedFile mapped(file.fd());
  EXPECT_DEATH(std::raise(SIGBUS), "")
      << "by the signal, or by the handler that a sanitizer has for it";
}

TEST(MappedFile, GivesTheEventsOfTheText) {
  const std::string text = long_snapshot();
  const File file(text);
  const auto source = open_source(file.path());
  ASSERT_TRUE(source);
  EXPECT_NE((*source)->text().data(), nullptr) << "the file is long enough for a mapping";
  const Reading mapped = read_from(**source);
  EXPECT_EQ(mapped.error, "");
  EXPECT_TRUE(mapped.events == read(text).events);
}

/// At each size, the message is the same as for a text of this length.
TEST(MappedFile, ReportsAFileTruncatedBeforeOpenLikeItsText) {
  const std::string text = long_snapshot();
  for (const std::size_t size :
       {text.size() - 1, text.size() - 30, text.size() / 2, std::size_t{1} << 20}) {
    const File file(text);
    file.cut(size);
    const auto source = open_source(file.path());
    ASSERT_TRUE(source);
    EXPECT_EQ(read_from(**source).error, read(std::string_view(text).substr(0, size)).error);
  }
}

/// Truncates the file to `size` bytes when the first page is read, and expects the error message.
void expect_truncation_error(std::size_t size) {
  const std::string text = long_snapshot();
  const File file(text);
  const auto source = open_source(file.path());
  ASSERT_TRUE(source);
  struct Cutting : EventText {
    Cutting(const File& cut, std::size_t bytes) : file(cut), size(bytes) {}
    void on_pages(std::span<const PageRun> runs, const PageSums& sums) override {
      file.cut(size);
      EventText::on_pages(runs, sums);
    }
    const File& file;
    std::size_t size;
  } events(file, size);
  SnapshotReader reader(**source, file.path(), {});
  const auto more = reader.next(events);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().text, file.path() + ": the file became shorter while it was read");
  EXPECT_EQ(more.error().kind, Error::Kind::kIo);
}

TEST(MappedFile, ReportsTruncationDuringRead) {
  expect_truncation_error(1 << 20);
  expect_truncation_error((1 << 20) + 123);  // reads of that page give zeros, without SIGBUS
}

TEST(MappedFile, RejectsALineThatIsLongerThanTheLimit) {
  const std::string name(Window::kSize + 10, 'n');
  const std::string text =
      std::string(kHeaderLine) + "T: " + name + ", 7, 0\n" + std::string(2 << 20, ' ');
  const File file(text);
  const auto source = open_source(file.path());
  ASSERT_TRUE(source);
  EXPECT_EQ(read_from(**source).error, read(text).error);
  EXPECT_NE(read(text).error.find("longer than 1048576 bytes"), std::string::npos)
      << read(text).error;
}

}  // namespace
}  // namespace physmem
