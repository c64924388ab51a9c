// SPDX-License-Identifier: MIT
// Opening files, and errors of reading.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "analyzer/parse/open_source.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

TEST(Source, RejectsADirectory) {
  const auto source = open_source("/tmp");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text, "/tmp: is a directory, expected a file");
  EXPECT_EQ(source.error().kind, Error::Kind::kIo);
}

TEST(Source, ReportsWhyAFileCannotBeOpened) {
  const auto source = open_source("/nonexistent/snapshot");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text, "/nonexistent/snapshot: cannot open: No such file or directory");
}

TEST(Source, RejectsAnEmptyFile) {
  const auto source = open_source("/dev/null");
  ASSERT_TRUE(source);
  EXPECT_EQ(read_from(**source).error, "s.txt: is empty, expected a snapshot");
}

TEST(Source, ReadsAFileToItsEnd) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("physmem_source_" + std::to_string(getpid()));
  std::ofstream(path) << kSample;
  const auto source = open_source(path.string());
  ASSERT_TRUE(source);
  EXPECT_EQ(read_from(**source).events, read(kSample).events);
  std::filesystem::remove(path);
}

TEST(Source, ReportsReadErrors) {
  struct Broken : ByteSource {
    Result<std::size_t> read(char*, std::size_t) override {
      return Error{Error::Kind::kIo, "disk: cannot read"};
    }
  } broken;
  EXPECT_EQ(read_from(broken).error, "disk: cannot read");
  EXPECT_EQ(read_from(broken, true).error, "disk: cannot read")
      << "keep_going does not skip read errors";
  const auto source = decoded(std::make_unique<Broken>(), "s.txt");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text, "disk: cannot read");
}

}  // namespace
}  // namespace physmem
