// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/cache_folders.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

namespace physmem {
namespace {

class CacheFoldersTest : public testing::Test {
 protected:
  CacheFoldersTest() { series_.begin_sample(64); }

  void add(const std::string& path, std::uint64_t pages, const std::string& file_system = "ext4",
           std::uint64_t device = 7) {
    files_.push_back({RamOwner::Kind::kFile, path, file_system, device, files_.size()});
    folders_.add(files_.back(), {pages, pages});
  }
  /// Pages of each folder that is followed.
  std::map<std::string, std::uint64_t> follow() {
    folders_.follow();
    std::map<std::string, std::uint64_t> pages;
    for (const RamSeriesEntry* entry : series_.bottom_up())
      if (entry->subject->kind == RamKind::kCacheFolder)
        pages[entry->subject->detail + " " + entry->subject->name] = entry->pages.back();
    return pages;
  }
  std::string parent_of(std::size_t file) const {
    return folders_.parent_of(files_[file])->subject->name;
  }
  /// "/0/0/0/f" of so many levels.
  static std::string deep(std::size_t levels, const std::string& name) {
    std::string path;
    for (std::size_t i = 0; i < levels; ++i) path += "/" + name;
    return path + "/f";
  }

  RamSeries series_;
  CacheFolders folders_{series_, series_.add_always({RamKind::kCache, ""}, {0, 0})};
  std::deque<OwnerIdentity> files_;
};

using Pages = std::map<std::string, std::uint64_t>;

TEST_F(CacheFoldersTest, HaveThePagesBelowThem) {
  add("/var/log/a", 100);
  add("/var/b", 50);
  add("/c", 7);
  add("/var/log/a", 90, "xfs");
  add("[name not cached]", 500);
  EXPECT_EQ(follow(), (Pages{{"ext4 /", 157},
                             {"ext4 /var", 150},
                             {"ext4 /var/log", 100},
                             {"xfs /", 90},
                             {"xfs /var", 90},
                             {"xfs /var/log", 90}}));
  EXPECT_EQ(parent_of(0), "/var/log");
  EXPECT_EQ(parent_of(2), "/");
  EXPECT_EQ(parent_of(4), "") << "the whole cache";
}

TEST_F(CacheFoldersTest, AreFollowedIfTheyAreLarge) {
  add("/a/b/c/f", 30);
  add("/a/b/f", 34);
  EXPECT_EQ(follow(), (Pages{{"ext4 /", 64}, {"ext4 /a", 64}, {"ext4 /a/b", 64}}));
  EXPECT_EQ(parent_of(0), "/a/b");
}

TEST_F(CacheFoldersTest, OfDeepPathsEndAtALevel) {
  add(deep(400, "folder"), 100);
  add(deep(400, "folder"), 20);
  const Pages pages = follow();
  ASSERT_EQ(pages.size(), CacheFolders::kMaxLevels);
  EXPECT_EQ(parent_of(0).size(), 7 * (CacheFolders::kMaxLevels - 1));
  EXPECT_EQ(pages.at("ext4 " + parent_of(0)), 120U);
}

TEST_F(CacheFoldersTest, HaveABoundForTheirNumberAndPaths) {
  const std::size_t files = CacheFolders::kMax / (CacheFolders::kMaxLevels - 1) + 100;
  for (std::size_t i = 0; i < files; ++i) add(deep(400, std::to_string(10000000 + i)), 100);
  const Pages pages = follow();
  EXPECT_EQ(pages.at("ext4 /"), 100 * files);
  EXPECT_LE(pages.size(), CacheFolders::kMax);
  std::size_t bytes = 0;
  for (const auto& [name, n] : pages) bytes += name.size();
  EXPECT_LE(bytes, 2 * CacheFolders::kMaxPathBytes);
  EXPECT_EQ(parent_of(files - 1), "/");
}

}  // namespace
}  // namespace physmem
