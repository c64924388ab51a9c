// SPDX-License-Identifier: MIT
// The output files of physmem.so. The C code follows the rules of OutputTarget.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "tests/unit/program/output_folder.h"

extern "C" {
#include "collector-crash/output.h"
}

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CrashOutput : public OutputFolder {
 protected:
  /// Writes "new" and closes with `failed`.
  int write(const std::string& name, int failed = 0) const {
    const auto output = std::make_unique<pm_output>();
    const std::string file = path(name);
    if (const int error = pm_output_open(output.get(), file.c_str(), nullptr); error != 0)
      return error;
    output->out.flush(output->out.to, "new", 3);
    return pm_output_close(output.get(), failed);
  }
};

TEST_F(CrashOutput, CreatesFileWithMode0600AndKeepsModeOfOldFile) {
  put("old", "old", 0644);
  EXPECT_EQ(write("old"), 0);
  EXPECT_EQ(write("new"), 0);
  EXPECT_EQ(mode("old"), 0644u);
  EXPECT_EQ(mode("new"), 0600u);
  EXPECT_EQ(content("old"), "new");
  EXPECT_THAT(names(), ElementsAre("new", "old"));
}

TEST_F(CrashOutput, LeavesNoFileAfterFailure) {
  EXPECT_EQ(write("new", -EINTR), -EINTR);
  EXPECT_EQ(write("missing/new"), -ENOENT);
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(CrashOutput, RejectsLinkAsName) {
  put("real", "old");
  link("real", "link");
  EXPECT_EQ(write("link"), -ELOOP);
  EXPECT_EQ(content("real"), "old");
}

TEST_F(CrashOutput, FollowsOnlyDirectoryLinkOfSameUser) {
  PHYSMEM_NEEDS_ROOT();
  std::filesystem::create_directory(path("real"));
  link("real", "folder");
  EXPECT_EQ(write("folder/a"), 0);
  give_away("folder");
  EXPECT_EQ(write("folder/b"), -EPERM);
  EXPECT_FALSE(std::filesystem::exists(path("real/b")));
}

TEST_F(CrashOutput, RejectsLinksAndFifosOfAnotherUser) {
  PHYSMEM_NEEDS_ROOT();
  put("real", "old");
  link("real", "link");
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0666), 0);
  give_away("link");
  give_away("fifo");
  EXPECT_EQ(write("link"), -EPERM);
  EXPECT_EQ(write("fifo"), -EPERM);
}

TEST_F(CrashOutput, KeepsOwnerOfFileUnlessDirectoryIsWorldWritable) {
  PHYSMEM_NEEDS_ROOT();
  put("file", "old");
  give_away("file");
  EXPECT_EQ(write("file"), 0);
  EXPECT_EQ(status("file").st_uid, kOtherUser);
  make_sticky();
  EXPECT_EQ(write("file"), -EPERM);
}

}  // namespace
}  // namespace physmem
