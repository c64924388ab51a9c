// SPDX-License-Identifier: MIT
#include "system/privileges.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace physmem {
namespace {

class Privileges : public testing::Test {
 protected:
  ~Privileges() override {
    unsetenv("SUDO_UID");
    unsetenv("SUDO_GID");
  }
};

TEST_F(Privileges, TheCallerOfSudoElseNobody) {
  unsetenv("SUDO_UID");
  EXPECT_EQ(identity_without_rights().user, 65534u);
  EXPECT_FALSE(identity_without_rights().is_caller);
  setenv("SUDO_UID", "1234567", 1);
  setenv("SUDO_GID", "7654321", 1);
  EXPECT_EQ(identity_without_rights().user, 1234567u);
  EXPECT_EQ(identity_without_rights().group, 7654321u);
  EXPECT_TRUE(identity_without_rights().is_caller);
}

TEST_F(Privileges, NeverRoot) {
  for (const char* user : {"0", "", "-1", "1000x", "root", "99999999999"}) {
    setenv("SUDO_UID", user, 1);
    EXPECT_EQ(identity_without_rights().user, 65534u) << user;
    EXPECT_NE(identity_without_rights().group, 0u) << user;
  }
  setenv("SUDO_UID", "1234567", 1);
  setenv("SUDO_GID", "0", 1);
  EXPECT_EQ(identity_without_rights().group, 1234567u);
}

TEST_F(Privileges, KnowsNamesAndNumbers) {
  ASSERT_TRUE(identity_of("root"));
  EXPECT_EQ(identity_of("root")->user, 0u);
  EXPECT_EQ(identity_of("0")->name, "root");
  EXPECT_EQ(identity_of("1234567")->group, 1234567u) << "a number that nobody has";
  EXPECT_FALSE(identity_of("no such user"));
}

TEST_F(Privileges, AreGoneForGood) {
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  const pid_t child = fork();
  if (child == 0) {
    const bool is_done = become({65534, 65534, {}, {}, false}).empty();
    const bool is_back = setuid(0) == 0 || seteuid(0) == 0 || setgid(0) == 0;
    _exit(is_done && !is_back && geteuid() == 65534 && getegid() == 65534 && getgroups(0, nullptr) == 0 ? 0
                                                                                                        : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace physmem
