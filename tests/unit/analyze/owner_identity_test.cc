// SPDX-License-Identifier: MIT
#include "analyzer/analyze/owner_identity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace physmem {
namespace {

OwnerIdentity file(std::string path, std::uint64_t inode = 12, std::string file_system = "ext4") {
  return {RamOwner::Kind::kFile, std::move(path), std::move(file_system), 7, inode};
}

class OwnerIndexTest : public testing::Test {
 protected:
  void index(std::vector<OwnerIdentity> list) {
    list_ = std::move(list);
    for (std::size_t i = 0; i < list_.size(); ++i) index_.add(list_[i], i);
    index_.sort(at_);
  }
  std::optional<std::size_t> find(const OwnerIdentity& owner) { return index_.find(owner, at_); }

  std::vector<OwnerIdentity> list_;
  std::function<const OwnerIdentity&(std::size_t)> at_ =
      [this](std::size_t i) -> const OwnerIdentity& { return list_[i]; };
  OwnerIndex index_;
};

TEST_F(OwnerIndexTest, FindsTheSameOwner) {
  index({file("/b"),
         file("/a"),
         file("/a", 13),
         file("/a", 12, "xfs"),
         {RamOwner::Kind::kSlab, "dentry", ""},
         {RamOwner::Kind::kSlab, "dent", ""},
         {RamOwner::Kind::kCgroup, "/x", "", 0, 12},
         file("/a")});
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(find(list_[i]), i);
  EXPECT_EQ(find(list_[7]), 1U) << "the first of equal ones";
  EXPECT_EQ(find({RamOwner::Kind::kCgroup, "/renamed", "", 0, 12}), 6U);
  EXPECT_EQ(find(file("/c")), std::nullopt);
  EXPECT_EQ(find(file("/a", 14)), std::nullopt);
}

TEST_F(OwnerIndexTest, TakesAnUnreadablePathForAnyOther) {
  index({file("/a"), file("[deleted]", 13), file("/b", 14), file("", 14)});
  EXPECT_EQ(find(file("[name not cached]")), 0U);
  EXPECT_EQ(find(file("/a", 13)), 1U);
  EXPECT_EQ(find(file("/b", 14)), 2U);
  EXPECT_EQ(find(file("/c", 14)), 3U);
}

TEST_F(OwnerIndexTest, FindsOneOfManyWithTheSameInode) {
  std::vector<OwnerIdentity> files;
  for (int i = 0; i < 100000; ++i) files.push_back(file(fmt::format("/{}", i)));
  index(files);
  for (std::size_t i = 0; i < files.size(); ++i) ASSERT_EQ(find(files[i]), i);
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(find(file(fmt::format("/new/{}", i))), std::nullopt);
}

}  // namespace
}  // namespace physmem
