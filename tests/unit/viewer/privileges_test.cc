// SPDX-License-Identifier: MIT
#include "program/privileges.h"

#include <gtest/gtest.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace physmem {
namespace {

class Privileges : public testing::Test {
 protected:
  ~Privileges() override {
    unsetenv("SUDO_UID");
    unsetenv("SUDO_GID");
  }
};

Identity identity_without_rights() {
  Identity identity;
  EXPECT_EQ(find_identity_without_rights(identity), "");
  return identity;
}

/// Lets a child with root privileges become `identity`. Returns the error, or "" on success.
std::string become_in_child(const Identity& identity) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string problem = become(identity);
    _exit(write(ends[1], problem.data(), problem.size()) < 0);
  }
  close(ends[1]);
  std::string problem(200, '\0');
  problem.resize(static_cast<std::size_t>(
      std::max<ssize_t>(::read(ends[0], problem.data(), problem.size()), 0)));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return problem;
}

TEST_F(Privileges, AreThoseOfTheSudoCallerOrOfNobody) {
  unsetenv("SUDO_UID");
  EXPECT_EQ(identity_without_rights().user, 65534u);
  EXPECT_FALSE(identity_without_rights().is_caller);
  setenv("SUDO_UID", "1234567", 1);
  setenv("SUDO_GID", "7654321", 1);
  EXPECT_EQ(identity_without_rights().user, 1234567u);
  EXPECT_EQ(identity_without_rights().group, 7654321u);
  EXPECT_TRUE(identity_without_rights().is_caller);
}

TEST_F(Privileges, AreNeverThoseOfRoot) {
  setenv("SUDO_UID", "0", 1);
  EXPECT_EQ(identity_without_rights().user, 65534u);
  EXPECT_NE(identity_without_rights().group, 0u);
  setenv("SUDO_UID", "1234567", 1);
  setenv("SUDO_GID", "0", 1);
  EXPECT_EQ(identity_without_rights().group, 1234567u);
}

TEST_F(Privileges, RejectAMalformedSudoVariable) {
  Identity identity;
  for (const std::string variable : {"SUDO_UID", "SUDO_GID"})
    for (const std::string text : {"4294967295", "", "-1", "1000x", "root", "99999999999"}) {
      setenv("SUDO_UID", "1234567", 1);
      setenv("SUDO_GID", "1234567", 1);
      setenv(variable.c_str(), text.c_str(), 1);
      EXPECT_EQ(find_identity_without_rights(identity),
                variable + ": found \"" + text + "\", expected a number up to 4294967294");
    }
}

TEST_F(Privileges, RejectIdsThatMeanNoChange) {
  EXPECT_FALSE(identity_of("4294967295"));
  EXPECT_TRUE(identity_of("4294967294"));
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  EXPECT_EQ(become_in_child({4294967295, 65534, {}, {}, false}),
            "cannot become 4294967295: the kernel kept other ids");
  EXPECT_EQ(become_in_child({65534, 4294967295, {}, {}, false}),
            "cannot become 65534: the kernel kept other ids");
  EXPECT_EQ(become_in_child({65534, 65534, {}, {}, false}), "");
}

TEST_F(Privileges, RejectAStateInWhichRootCanBeRegained) {
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  const pid_t child = fork();
  if (child == 0) {
    // With this bit, a change of user keeps the capabilities, including CAP_SETUID.
    if (prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) != 0) _exit(77);
    _exit(become({65534, 65534, {}, {}, false}) == "cannot become 65534: root can be regained" ? 0
                                                                                               : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "no CAP_SETPCAP";
  EXPECT_EQ(status, 0);
}

TEST_F(Privileges, AreFoundByNameAndNumber) {
  ASSERT_TRUE(identity_of("root"));
  EXPECT_EQ(identity_of("root")->user, 0u);
  EXPECT_EQ(identity_of("0")->name, "root");
  EXPECT_EQ(identity_of("1234567")->group, 1234567u) << "an id without a user";
  EXPECT_FALSE(identity_of("no such user"));
}

TEST_F(Privileges, AreDroppedPermanently) {
  if (geteuid() != 0) GTEST_SKIP() << "not root";
  const pid_t child = fork();
  if (child == 0) {
    const bool is_done = become({65534, 65534, {}, {}, false}).empty();
    const bool is_back = setuid(0) == 0 || seteuid(0) == 0 || setgid(0) == 0;
    _exit(is_done && !is_back && geteuid() == 65534 && getegid() == 65534 &&
                  getgroups(0, nullptr) == 0
              ? 0
              : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace physmem
