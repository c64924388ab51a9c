// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/unit/program/output_folder.h"
#include "tools/pftraced/background.h"

namespace physmem::daemon {
namespace {

using ::testing::HasSubstr;

class PidFile : public OutputFolder {};

TEST_F(PidFile, HoldsTheProcessIdAndKeepsTheModeOfAnExistingFile) {
  put("pid", "123456789012\n", 0600);
  {
    const auto held = hold_pid_file(path("pid"));
    ASSERT_TRUE(held);
    EXPECT_EQ(content("pid"), std::to_string(::getpid()) + "\n");
    EXPECT_THAT(hold_pid_file(path("pid")).error().text,
                HasSubstr("is already running, as process "));
  }
  EXPECT_EQ(mode("pid"), 0600u);
  EXPECT_TRUE(hold_pid_file(path("pid")));
}

TEST_F(PidFile, RejectsAFileWithOtherContentAndKeepsIt) {
  put("conf", "client 127.0.0.1\n", 0600);
  EXPECT_THAT(hold_pid_file(path("conf")).error().text,
              HasSubstr("found other content than a process id; name another --pid-file"));
  EXPECT_EQ(content("conf"), "client 127.0.0.1\n");
}

TEST_F(PidFile, FollowsALinkOfTheSameUser) {
  std::filesystem::create_directory(path("run"));
  link("run", "var-run");
  EXPECT_TRUE(hold_pid_file(path("var-run/pid")));
  EXPECT_EQ(content("run/pid"), std::to_string(::getpid()) + "\n");
}

TEST_F(PidFile, RejectsADeviceOrFifo) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  for (const std::string& name : {path("fifo"), std::string("/dev/null")})
    EXPECT_THAT(hold_pid_file(name).error().text,
                HasSubstr("found a device or a pipe, expected a file"));
}

TEST_F(PidFile, RejectsALinkOfAnotherUser) {
  PHYSMEM_NEEDS_ROOT();
  put("precious", "text");
  link(".", "folder");
  link("precious", "link");
  give_away("folder");
  give_away("link");
  EXPECT_THAT(hold_pid_file(path("folder/precious")).error().text,
              HasSubstr("folder is a symbolic link of user"));
  EXPECT_THAT(hold_pid_file(path("link")).error().text,
              HasSubstr("link is a symbolic link of user 65534"));
  EXPECT_EQ(content("precious"), "text");
}

TEST_F(PidFile, RejectsAnotherUsersFileInAWorldWritableFolder) {
  PHYSMEM_NEEDS_ROOT();
  put("pid", "text");
  give_away("pid");
  make_sticky();
  EXPECT_THAT(hold_pid_file(path("pid")).error().text,
              HasSubstr("it is a file of user 65534, in a folder"));
  EXPECT_EQ(content("pid"), "text");
}

TEST_F(PidFile, IsHeldByAReadOnlyDescriptor) {
  put("pid", "12345678901\n", 0644);
  const auto held = hold_pid_file(path("pid"));
  ASSERT_TRUE(held) << held.error().text;
  EXPECT_EQ(::fcntl(held->get(), F_GETFL) & O_ACCMODE, O_RDONLY);
}

TEST_F(PidFile, RejectsAFileThatOtherUsersCanWrite) {
  for (const mode_t mode : {0664, 0646}) {
    put("pid", "12345678901\n", mode);
    EXPECT_THAT(hold_pid_file(path("pid")).error().text,
                HasSubstr("without write access for other users; remove the file"));
    EXPECT_EQ(content("pid"), "12345678901\n");
  }
}

TEST_F(PidFile, RejectsAnotherUsersFile) {
  PHYSMEM_NEEDS_ROOT();
  put("pid", "text", 0644);
  give_away("pid");
  EXPECT_EQ(hold_pid_file(path("pid")).error().text,
            path("pid") +
                ": found owner 65534 and mode 0644, expected owner 0 and a mode such as "
                "0644 without write access for other users; remove the file");
}

}  // namespace
}  // namespace physmem::daemon
