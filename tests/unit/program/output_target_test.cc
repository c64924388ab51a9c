// SPDX-License-Identifier: MIT
#include "program/output_target.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <pty.h>
#include <sys/file.h>
#include <sys/xattr.h>

#include <array>
#include <cstring>
#include <string_view>

#include "tests/unit/program/output_folder.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class OutputTargetTest : public OutputFolder {
 protected:
  /// Writes `text` to the file and commits. Returns the error, or "" on success.
  std::string write(const std::string& name, std::string_view text = "new",
                    mode_t mode = kModeOfReports) const {
    OutputTarget target(path(name), mode);
    if (!target.problem().empty()) return target.problem();
    if (::write(target.descriptor(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      return std::strerror(errno);
    const int error = target.commit();
    return error == 0 ? "" : std::strerror(error);
  }
};

TEST_F(OutputTargetTest, HasNoNameBeforeCommit) {
  OutputTarget target(path("new"), kModeOfReports);
  ASSERT_EQ(target.problem(), "");
  if (open_unnamed(find_output(path("x")).folder.get(), 0600)) {
    EXPECT_THAT(names(), IsEmpty());
  }
  ASSERT_EQ(::write(target.descriptor(), "text", 4), 4);
  ASSERT_EQ(target.commit(), 0);
  EXPECT_THAT(names(), ElementsAre("new"));
  EXPECT_EQ(content("new"), "text");
}

TEST_F(OutputTargetTest, AppliesTheUmaskToNewFiles) {
  const mode_t before = ::umask(027);
  EXPECT_EQ(write("report"), "");
  EXPECT_EQ(write("snapshot", "new", kModeOfSnapshots), "");
  ::umask(before);
  EXPECT_EQ(mode("report"), 0640u);
  EXPECT_EQ(mode("snapshot"), 0600u);
}

TEST_F(OutputTargetTest, KeepsTheModeOfAnExistingFile) {
  put("a", "old", 0644);
  put("b", "old", 0600);
  put("c", "old", 0664);
  EXPECT_EQ(write("a", "new", kModeOfSnapshots), "");
  EXPECT_EQ(write("b"), "");
  EXPECT_EQ(write("c"), "");
  EXPECT_EQ(mode("a"), 0644u);
  EXPECT_EQ(mode("b"), 0600u);
  EXPECT_EQ(mode("c"), 0664u);
  EXPECT_EQ(content("a"), "new");
  EXPECT_THAT(names(), ElementsAre("a", "b", "c"));
}

TEST_F(OutputTargetTest, KeepsTheOwnerOfAnExistingFile) {
  PHYSMEM_NEEDS_ROOT();
  put("file", "old", 0640);
  give_away("file");
  EXPECT_EQ(write("file"), "");
  EXPECT_EQ(status("file").st_uid, kOtherUser);
  EXPECT_EQ(status("file").st_gid, kOtherUser);
  EXPECT_EQ(mode("file"), 0640u);
  EXPECT_EQ(content("file"), "new");
}

TEST_F(OutputTargetTest, KeepsTheAccessControlListOfAnExistingFile) {
  // Version 2; the owner rw-, user 7 r--, the group ---, the mask r--, others ---.
  constexpr std::array<std::uint16_t, 22> kList{2,      0,      1,  6, 0xFFFF, 0xFFFF, 2,  4,
                                                7,      0,      4,  0, 0xFFFF, 0xFFFF, 16, 4,
                                                0xFFFF, 0xFFFF, 32, 0, 0xFFFF, 0xFFFF};
  put("file", "old");
  if (::setxattr(path("file").c_str(), "system.posix_acl_access", kList.data(), sizeof kList, 0) !=
      0)
    GTEST_SKIP() << "no access control lists here";
  EXPECT_EQ(write("file"), "");
  std::array<std::uint16_t, 22> found{};
  EXPECT_EQ(::getxattr(path("file").c_str(), "system.posix_acl_access", found.data(), sizeof found),
            static_cast<ssize_t>(sizeof kList));
  EXPECT_EQ(found, kList);
}

TEST_F(OutputTargetTest, RejectsAFileWhoseOwnerCannotBeKept) {
  PHYSMEM_NEEDS_ROOT();
  put("file", "old", 0666);
  ::chmod(folder_.c_str(), 0770);
  ASSERT_EQ(::chown(folder_.c_str(), kOtherUser, kOtherUser), 0);
  ASSERT_EQ(::seteuid(kOtherUser), 0);
  const std::string problem = write("file");
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_THAT(problem,
              HasSubstr("the owner, group and mode of the one it replaces (user 0, group 0)"));
  EXPECT_EQ(content("file"), "old");
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(OutputTargetTest, RejectsAReadOnlyFile) {
  PHYSMEM_NEEDS_ROOT();  // to become a user to whom the mode applies
  put("file", "old", 0444);
  give_away("file");
  ASSERT_EQ(::chown(folder_.c_str(), kOtherUser, kOtherUser), 0);
  ASSERT_EQ(::seteuid(kOtherUser), 0);
  const std::string problem = write("file");
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(problem, "Permission denied; name another file, or remove this one first");
  EXPECT_EQ(content("file"), "old");
}

TEST_F(OutputTargetTest, RejectsANewFileInAReadOnlyFolder) {
  PHYSMEM_NEEDS_ROOT();
  ::chmod(folder_.c_str(), 0755);
  ASSERT_EQ(::seteuid(kOtherUser), 0);
  const std::string problem = write("file");
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(
      problem,
      "cannot create a file in its folder: Permission denied; name a folder that you can write to");
}

TEST_F(OutputTargetTest, KeepsTheContentOfASecondHardLink) {
  put("file", "old");
  ASSERT_EQ(::link(path("file").c_str(), path("second").c_str()), 0);
  EXPECT_EQ(write("file"), "");
  EXPECT_EQ(content("file"), "new");
  EXPECT_EQ(content("second"), "old");
}

TEST_F(OutputTargetTest, LeavesNothingWithoutCommit) {
  put("old", "text");
  for (const char* name : {"old", "new"}) {
    OutputTarget target(path(name), kModeOfReports);
    ASSERT_EQ(::write(target.descriptor(), "x", 1), 1);
  }
  EXPECT_THAT(names(), ElementsAre("old"));
  EXPECT_EQ(content("old"), "text");
}

TEST_F(OutputTargetTest, ReplacesAFileThatAppearedInTheMeantime) {
  OutputTarget target(path("file"), kModeOfReports);
  put("file", "of another program");
  ASSERT_EQ(::write(target.descriptor(), "text", 4), 4);
  ASSERT_EQ(target.commit(), 0);
  EXPECT_EQ(content("file"), "text");
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(OutputTargetTest, AcceptsNamesOf255Bytes) {
  const std::string long_name(255, 'n');
  EXPECT_EQ(write(long_name, "first"), "");
  EXPECT_EQ(write(long_name, "second"), "");
  EXPECT_EQ(content(long_name), "second");
  EXPECT_THAT(names(), ElementsAre(long_name));
}

TEST_F(OutputTargetTest, RemovesStaleTemporaryFilesOfThisOutputOnly) {
  put(".file.physmem-0123456789ab", "stale");
  put(".other.physmem-0123456789ab", "of another output");
  put(".file.physmem-mine", "of the user");
  EXPECT_EQ(write("file"), "");
  EXPECT_THAT(names(), ElementsAre(".file.physmem-mine", ".other.physmem-0123456789ab", "file"));
}

TEST_F(OutputTargetTest, KeepsTemporaryFilesOfARunningProgram) {
  put(".file.physmem-0123456789ab", "in use");
  const UniqueFd held(::open(path(".file.physmem-0123456789ab").c_str(), O_RDWR));
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  EXPECT_EQ(write("file"), "");
  EXPECT_THAT(names(), ElementsAre(".file.physmem-0123456789ab", "file"));
}

TEST_F(OutputTargetTest, DetectsATerminal) {
  int master = -1, slave = -1;
  std::array<char, 64> name{};
  if (::openpty(&master, &slave, name.data(), nullptr, nullptr) != 0)
    GTEST_SKIP() << "no terminals here";
  const UniqueFd first(master), second(slave);
  EXPECT_TRUE(OutputTarget(name.data(), kModeOfReports).is_terminal());
  EXPECT_TRUE(OutputTarget("/dev/fd/" + std::to_string(slave), kModeOfReports).is_terminal());
  EXPECT_FALSE(OutputTarget("/dev/null", kModeOfReports).is_terminal());
  EXPECT_FALSE(OutputTarget(path("new"), kModeOfReports).is_terminal());
}

TEST_F(OutputTargetTest, KeepsContentAndModeInPlace) {
  put("log", "old", 0640);
  OutputInPlace opened = open_in_place(path("log"), O_WRONLY | O_APPEND, kModeOfSnapshots);
  ASSERT_EQ(opened.problem, "");
  ASSERT_EQ(::write(opened.file.get(), "+", 1), 1);
  EXPECT_EQ(content("log"), "old+");
  EXPECT_EQ(mode("log"), 0640u);
  EXPECT_EQ(open_in_place(path("new"), O_WRONLY, kModeOfSnapshots).problem, "");
  EXPECT_EQ(mode("new"), 0600u);
}

TEST_F(OutputTargetTest, RejectsAHardLinkInAWorldWritableFolderInPlace) {
  put("file", "old");
  ASSERT_EQ(::link(path("file").c_str(), path("second").c_str()), 0);
  EXPECT_EQ(open_in_place(path("file"), O_WRONLY, 0600).problem, "");
  make_sticky();
  EXPECT_THAT(open_in_place(path("file"), O_WRONLY, 0600).problem,
              StartsWith("it has a second name (a hard link)"));
}

}  // namespace
}  // namespace physmem
