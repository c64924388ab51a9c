// SPDX-License-Identifier: MIT
// DT_TEXTREL as proof (I22). A library that has it is built in samples/nonpic-library.
#include "analyzer/analyze/text_relocations.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace physmem {
namespace {

PrivateText unit_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  PrivateText unit;
  unit.unit = path;
  unit.key = {{0, status.st_ino}, {}};
  return unit;
}

const std::string kSelf = std::filesystem::read_symlink("/proc/self/exe");

TEST(TextRelocations, AreNotInThisProgram) {
  EXPECT_EQ(has_text_relocations(unit_of(kSelf), "/"), std::optional(false));
}

TEST(TextRelocations, AreLookedForBelowTheRootThatIsGiven) {
  PrivateText unit = unit_of(kSelf);
  const std::filesystem::path folder = std::filesystem::path(kSelf).parent_path();
  unit.unit = "/" + std::filesystem::path(kSelf).filename().string();
  EXPECT_EQ(has_text_relocations(unit, folder.string()), std::optional(false));
}

TEST(TextRelocations, AreUnknownWhenTheFileIsAnotherThanTheSnapshots) {
  PrivateText unit = unit_of(kSelf);
  ++unit.key.first.second;
  EXPECT_EQ(has_text_relocations(unit, "/"), std::nullopt);
}

TEST(TextRelocations, AreUnknownWhereThereIsNoElfFile) {
  EXPECT_EQ(has_text_relocations(unit_of("/etc/passwd"), "/"), std::nullopt);
  EXPECT_EQ(has_text_relocations(unit_of("/dev/null"), "/"), std::nullopt);
  EXPECT_EQ(has_text_relocations(unit_of("/tmp"), "/"), std::nullopt);
  PrivateText missing;
  missing.unit = "/nonexistent/library.so";
  EXPECT_EQ(has_text_relocations(missing, "/"), std::nullopt);
}

}  // namespace
}  // namespace physmem
