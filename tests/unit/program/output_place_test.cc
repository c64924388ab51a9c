// SPDX-License-Identifier: MIT
#include "program/output_place.h"

#include <gmock/gmock.h>

#include "tests/unit/program/output_folder.h"

namespace physmem {
namespace {

using testing::HasSubstr;

class OutputPlaceTest : public OutputFolder {
 protected:
  std::string problem(const std::string& name) const { return find_output(path(name)).problem; }
};

TEST_F(OutputPlaceTest, FindsTheFolderOfANewName) {
  const OutputPlace place = find_output(path("new"));
  EXPECT_EQ(place.problem, "");
  EXPECT_EQ(place.name, "new");
  EXPECT_FALSE(place.found);
  struct stat folder {};
  ASSERT_EQ(::fstat(place.folder.get(), &folder), 0);
  EXPECT_EQ(folder.st_ino, status(".").st_ino);
}

TEST_F(OutputPlaceTest, FindsTheCurrentFolderForANameWithoutFolder) {
  const OutputPlace place = find_output("name-that-does-not-exist");
  struct stat folder {
  }, current{};
  ASSERT_EQ(::fstat(place.folder.get(), &folder), 0);
  ASSERT_EQ(::stat(".", &current), 0);
  EXPECT_EQ(folder.st_ino, current.st_ino);
}

TEST_F(OutputPlaceTest, FindsTheRootFolderForANameInIt) {
  const OutputPlace place = find_output("/name-that-does-not-exist");
  struct stat folder {
  }, root{};
  EXPECT_EQ(place.problem, "");
  EXPECT_EQ(place.name, "name-that-does-not-exist");
  ASSERT_EQ(::fstat(place.folder.get(), &folder), 0);
  ASSERT_EQ(::stat("/", &root), 0);
  EXPECT_EQ(folder.st_ino, root.st_ino);
}

TEST_F(OutputPlaceTest, FollowsOwnLinksToFoldersAndFiles) {
  std::filesystem::create_directories(path("a/b"));
  link("a", "relative");
  link(path("a"), "absolute");
  link("../b/file", "a/b/link");
  put("a/b/file", "");
  for (const char* name : {"relative/b/link", "absolute//b/./link", "a/b/../b/link"}) {
    const OutputPlace place = find_output(path(name));
    EXPECT_EQ(place.problem, "") << name;
    EXPECT_EQ(place.name, "file") << name;
    ASSERT_TRUE(place.found) << name;
    EXPECT_EQ(place.found->st_ino, status("a/b/file").st_ino) << name;
  }
}

TEST_F(OutputPlaceTest, FindsTheTargetOfADanglingLink) {
  link("new", "link");
  EXPECT_EQ(find_output(path("link")).name, "new");
  EXPECT_EQ(problem("link"), "");
}

TEST_F(OutputPlaceTest, RejectsLinkLoopsFoldersAndMissingFolders) {
  link("second", "first");
  link("first", "second");
  EXPECT_EQ(problem("first"), "Too many levels of symbolic links");
  EXPECT_EQ(problem("."), "Is a directory");
  EXPECT_EQ(find_output(folder_).problem, "Is a directory");
  EXPECT_EQ(find_output("/").problem, "Is a directory");
  EXPECT_EQ(problem("missing/new"), "No such file or directory");
  EXPECT_EQ(problem("new/"), "No such file or directory");
  put("file", "");
  EXPECT_EQ(problem("file/new"), "Not a directory");
  EXPECT_EQ(problem(std::string(256, 'n')), "File name too long");
}

TEST_F(OutputPlaceTest, FindsTheDescriptorOfStandardOutputAndDescriptorFiles) {
  link("/dev/stdout", "log");
  link("/dev/fd", "descriptors");
  EXPECT_EQ(find_output("").descriptor, 1);
  EXPECT_EQ(find_output("-").descriptor, 1);
  EXPECT_EQ(find_output("/dev/stderr").descriptor, 2);
  EXPECT_EQ(find_output("/dev/fd/7").descriptor, 7);
  EXPECT_EQ(find_output("/proc/self/fd/12").descriptor, 12);
  EXPECT_EQ(find_output(path("log")).descriptor, 1);
  EXPECT_EQ(find_output(path("descriptors/9")).descriptor, 9);
}

TEST_F(OutputPlaceTest, FollowsFoldersOfProcAndRejectsItsFiles) {
  link("/proc/self/cwd", "here");
  struct stat folder {
  }, current{};
  const OutputPlace place = find_output(path("here/new"));
  ASSERT_EQ(place.problem, "");
  ASSERT_EQ(::fstat(place.folder.get(), &folder), 0);
  ASSERT_EQ(::stat(".", &current), 0);
  EXPECT_EQ(folder.st_ino, current.st_ino);
  EXPECT_THAT(find_output("/proc/self/exe").problem,
              HasSubstr("a link of /proc; name the file itself"));
}

TEST_F(OutputPlaceTest, RejectsALinkOfAnotherUserInAnyFolder) {
  PHYSMEM_NEEDS_ROOT();
  std::filesystem::create_directory(path("real"));
  put("real/file", "");
  link("real", "folder");
  link("real/file", "file");
  link("file", "own");
  give_away("folder");
  give_away("file");
  const std::string reason =
      " is a symbolic link of user 65534, who can make it lead anywhere; name the file itself";
  EXPECT_EQ(problem("folder/new"), "folder" + reason);
  EXPECT_EQ(problem("file"), "file" + reason);
  EXPECT_EQ(problem("own"), "file" + reason);
}

TEST_F(OutputPlaceTest, RejectsAFifoOfAnotherUserInAnyFolder) {
  PHYSMEM_NEEDS_ROOT();
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0666), 0);
  EXPECT_EQ(problem("fifo"), "");
  give_away("fifo");
  EXPECT_EQ(problem("fifo"), "it is a FIFO of user 65534; name a file or a FIFO of your own");
}

TEST_F(OutputPlaceTest, RejectsAFileOfAnotherUserInAWorldWritableFolder) {
  PHYSMEM_NEEDS_ROOT();
  put("file", "");
  give_away("file");
  EXPECT_EQ(problem("file"), "") << "only the owner can write to the folder";
  for (const mode_t mode : {01777u, 01770u, 0777u}) {
    ::chmod(folder_.c_str(), mode);
    EXPECT_THAT(problem("file"),
                HasSubstr("it is a file of user 65534, in a folder that all users can write to"))
        << mode;
  }
  ::chmod(folder_.c_str(), 0770);
  EXPECT_EQ(problem("file"), "") << "only members of the group can write to the folder";
}

TEST_F(OutputPlaceTest, TrustsRootAndTheEffectiveUser) {
  PHYSMEM_NEEDS_ROOT();
  ::chmod(folder_.c_str(), 0777);
  put("file", "");
  link("file", "of_root");
  link("file", "of_user");
  give_away("of_user");
  give_away("file");
  ASSERT_EQ(::seteuid(kOtherUser), 0);
  const std::string of_root = problem("of_root"), of_user = problem("of_user");
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(of_root, "");
  EXPECT_EQ(of_user, "");
}

}  // namespace
}  // namespace physmem
