// SPDX-License-Identifier: MIT
#include "analyzer/input/snapshot_files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/unit/cli/command_run.h"

namespace physmem {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class SnapshotFilesTest : public CommandRun {
 protected:
  void put(const std::string& name) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    write(name, "x");
  }
  /// The paths of the files found, relative to the test's directory.
  std::vector<std::string> find(const std::vector<std::string>& names) {
    std::vector<std::string> inputs;
    for (const std::string& name : names) inputs.push_back(path(name));
    const auto found = find_snapshot_files(inputs, path("d/day.csv"));
    EXPECT_TRUE(found) << (found ? "" : found.error().text);
    std::vector<std::string> paths;
    hosts_.clear();
    for (const SnapshotFile& file : found->files) {
      paths.push_back(file.path.substr(path("").size()));
      hosts_.push_back(host_by_path(file));
    }
    problems_ = found->problems;
    return paths;
  }

  std::vector<std::string> hosts_;
  std::vector<std::string> problems_;
};

TEST_F(SnapshotFilesTest, SortsFilesByPathPerDirectory) {
  for (const char* name : {"d/b.txt", "d/a/2", "d/a/1", "d/a.txt", "d/a-1/x", "d/B", "d/a/10"})
    put(name);
  EXPECT_THAT(find({"d"}),
              ElementsAre("d/B", "d/a/1", "d/a/10", "d/a/2", "d/a-1/x", "d/a.txt", "d/b.txt"));
  EXPECT_THAT(find({"d/b.txt", "d/a"}), ElementsAre("d/b.txt", "d/a/1", "d/a/10", "d/a/2"))
      << "inputs keep their order";
}

TEST_F(SnapshotFilesTest, DoesNotFollowALinkToADirectoryAboveANamedOne) {
  for (const char* name : {"d/own/a.txt", "d/other/b.txt", "more/c.txt"}) put(name);
  fs::create_directory_symlink("/", path("d/own/root"));
  fs::create_directory_symlink("../..", path("d/own/above"));
  fs::create_directory_symlink("..", path("d/own/parent"));
  fs::create_directory_symlink("../../more", path("d/own/more"));
  EXPECT_THAT(find({"d/own"}), ElementsAre("d/own/a.txt", "d/own/more/c.txt"));
  ASSERT_EQ(problems_.size(), 3U);
  for (const std::string& problem : problems_)
    EXPECT_THAT(problem, testing::HasSubstr(": is a link to a directory that contains this one"));
  // What is named is read, also through a link.
  EXPECT_THAT(find({"d", "d/own"}),
              ElementsAre("d/other/b.txt", "d/own/a.txt", "d/own/more/c.txt"));
}

TEST_F(SnapshotFilesTest, SkipsHiddenAndTemporaryFilesUnlessNamed) {
  for (const char* name :
       {"d/.physmem-Ab3", "d/a.txt~", "d/a.tmp", "d/a.part", "d/.git/x", "d/a.txt"})
    put(name);
  EXPECT_THAT(find({"d"}), ElementsAre("d/a.txt"));
  EXPECT_THAT(problems_, IsEmpty());
  EXPECT_THAT(find({"d/a.tmp", "d/.git"}), ElementsAre("d/a.tmp", "d/.git/x"));
}

TEST_F(SnapshotFilesTest, SkipsEarlierOutputUnlessNamed) {
  for (const char* name : {"d/a.txt", "d/day.csv"}) put(name);
  EXPECT_THAT(find({"d"}), ElementsAre("d/a.txt"));
  EXPECT_THAT(problems_, IsEmpty());
  EXPECT_THAT(find({"d/day.csv"}), ElementsAre("d/day.csv"));
}

TEST_F(SnapshotFilesTest, FollowsLinksButListsEachFileOnceByItsOwnName) {
  put("d/host/1");
  put("elsewhere/2");
  fs::create_symlink("..", path("d/host/circle"));
  fs::create_symlink("host/1", path("d/a-link-that-comes-first"));
  fs::create_symlink("../elsewhere", path("d/zone"));
  fs::create_hard_link(path("d/host/1"), path("d/host/9"));
  const auto found = find({"d", "d", "d/host/1"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0] == "d/host/1" || found[0] == "d/host/9") << found[0];
  EXPECT_EQ(found[1], "d/zone/2");
  EXPECT_THAT(hosts_, ElementsAre("host", "zone"));
  EXPECT_THAT(problems_, IsEmpty());
}

TEST_F(SnapshotFilesTest, DoesNotFollowLinksOfOtherUsersBelowADirectory) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a link to another user";
  put("d/a.txt");
  put("secret/b.txt");
  for (const char* name : {"d/file", "d/directory"}) {
    fs::create_symlink(std::string_view(name) == "d/file" ? "../secret/b.txt" : "../secret",
                       path(name));
    ASSERT_EQ(lchown(path(name).c_str(), 65534, 65534), 0);
  }
  EXPECT_THAT(find({"d"}), ElementsAre("d/a.txt"));
  const std::string why =
      ": is a link of user 65534, who may not be allowed to read its file; name the file itself";
  EXPECT_THAT(problems_, UnorderedElementsAre(path("d/file") + why, path("d/directory") + why));
  EXPECT_THAT(find({"d/file"}), ElementsAre("d/file")) << "a named link is followed";
}

TEST_F(SnapshotFilesTest, DoesNotFollowLinksToProc) {
  put("d/a.txt");
  fs::create_symlink("/proc/self", path("d/self"));
  fs::create_symlink("/proc/version", path("d/version"));
  EXPECT_THAT(find({"d"}), ElementsAre("d/a.txt"));
  EXPECT_THAT(
      problems_,
      UnorderedElementsAre(
          path("d/self") + ": belongs to the kernel (as /proc and /sys do), expected a snapshot",
          path("d/version") +
              ": belongs to the kernel (as /proc and /sys do), expected a snapshot"));
  const auto named = find_snapshot_files({"/proc/self/task", "/proc/version"}, "-");
  ASSERT_TRUE(named) << named.error().text;
  ASSERT_EQ(named->files.size(), 1u) << "a named file is accepted";
  EXPECT_THAT(named->problems,
              ElementsAre("/proc/self/task: belongs to the kernel (as /proc and /sys do), "
                          "expected a snapshot"));
}

TEST_F(SnapshotFilesTest, ReportsFilesThatCannotBeRead) {
  put("d/a.txt");
  fs::create_symlink("nowhere", path("d/dangling"));
  ASSERT_EQ(mkfifo(path("d/pipe").c_str(), 0600), 0);
  EXPECT_THAT(find({"d"}), ElementsAre("d/a.txt"));
  EXPECT_THAT(
      problems_,
      ElementsAre(path("d/pipe") + ": is not a regular file, expected a snapshot",
                  path("d/dangling") + ": cannot follow the link: No such file or directory"));
  const auto missing = find_snapshot_files({path("d"), path("none")}, "-");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, Error::Kind::kIo);
  EXPECT_EQ(missing.error().text, path("none") + ": cannot open: No such file or directory");
}

TEST_F(SnapshotFilesTest, DerivesHostFromSubdirectoryOrFileName) {
  for (const char* name : {"d/web1.example.txt.zst", "d/2026-11-21/web2/0900.txt", "d/.txt.gz"})
    put(name);
  find({"d", "d/.txt.gz"});
  EXPECT_THAT(hosts_, ElementsAre("web2", "web1.example", ".txt"));
  find({"d/2026-11-21/web2"});
  EXPECT_THAT(hosts_, ElementsAre("0900")) << "the given directory itself is not used";
  EXPECT_EQ(host_by_path({"snap.gz", 0, 0}), "snap");
  EXPECT_EQ(host_by_path({"web1.pmc", 0, 0}), "web1");
  EXPECT_EQ(host_by_path({"d/web1.pmc.zst", 2, 0}), "web1") << "the same host in another format";
}

}  // namespace
}  // namespace physmem
