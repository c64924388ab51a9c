// SPDX-License-Identifier: MIT
// Files as they are opened.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

TEST(Source, OfADirectoryIsAnError) {
  const auto source = open_source("/tmp");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text, "/tmp: is a directory, expected a file");
  EXPECT_EQ(source.error().kind, Error::Kind::kIo);
}

TEST(Source, OfAMissingFileSaysWhy) {
  const auto source = open_source("/nonexistent/snapshot");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text, "/nonexistent/snapshot: cannot open: No such file or directory");
}

TEST(Source, OfAnEmptyFileIsNoSnapshot) {
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

TEST(Source, PassesAnErrorOfTheSystemOn) {
  struct Broken : ByteSource {
    Result<std::size_t> read(char*, std::size_t) override {
      return Error{Error::Kind::kIo, "disk: cannot read"};
    }
  } broken;
  EXPECT_EQ(read_from(broken).error, "disk: cannot read");
  EXPECT_EQ(read_from(broken, true).error, "disk: cannot read")
      << "this is nothing to keep going after";
  const auto source = decoded(std::make_unique<Broken>(), "s.txt");
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().text, "disk: cannot read");
}

}  // namespace
}  // namespace physmem
