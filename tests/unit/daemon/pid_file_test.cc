// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/system/output_folder.h"
#include "tracer/daemon/background.h"

namespace physmem::daemon {
namespace {

using ::testing::HasSubstr;

class PidFile : public OutputFolder {};

TEST_F(PidFile, HoldsTheProcessIdAndKeepsTheModeOfAnExistingFile) {
  put("pid", "a longer line than this process id\n", 0600);
  {
    const auto held = hold_pid_file(path("pid"));
    ASSERT_TRUE(held);
    EXPECT_EQ(content("pid"), std::to_string(::getpid()) + "\n");
    EXPECT_THAT(hold_pid_file(path("pid")).error().text, HasSubstr("runs already, as process "));
  }
  EXPECT_EQ(mode("pid"), 0600u);
  EXPECT_TRUE(hold_pid_file(path("pid")));
}

TEST_F(PidFile, ThroughALinkOfTheUserIsTheFileThatItNames) {
  std::filesystem::create_directory(path("run"));
  link("run", "var-run");
  EXPECT_TRUE(hold_pid_file(path("var-run/pid")));
  EXPECT_EQ(content("run/pid"), std::to_string(::getpid()) + "\n");
}

TEST_F(PidFile, IsNoDeviceAndNoFifo) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  for (const std::string& name : {path("fifo"), std::string("/dev/null")})
    EXPECT_THAT(hold_pid_file(name).error().text, HasSubstr("found a device or a pipe, expected a file"));
}

TEST_F(PidFile, IsNotReachedThroughAnotherUsersLink) {
  PHYSMEM_NEEDS_ROOT();
  put("precious", "text");
  link(".", "folder");
  link("precious", "link");
  give_away("folder");
  give_away("link");
  EXPECT_THAT(hold_pid_file(path("folder/precious")).error().text,
              HasSubstr("folder is a symbolic link of user"));
  EXPECT_THAT(hold_pid_file(path("link")).error().text, HasSubstr("link is a symbolic link of user 65534"));
  EXPECT_EQ(content("precious"), "text");
}

TEST_F(PidFile, IsNotAnotherUsersFileWhereAllUsersCanWrite) {
  PHYSMEM_NEEDS_ROOT();
  put("pid", "text");
  give_away("pid");
  make_sticky();
  EXPECT_THAT(hold_pid_file(path("pid")).error().text, HasSubstr("it is a file of user 65534, in a folder"));
  EXPECT_EQ(content("pid"), "text");
}

}  // namespace
}  // namespace physmem::daemon
