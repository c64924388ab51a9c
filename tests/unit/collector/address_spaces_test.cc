// SPDX-License-Identifier: MIT
#include "collector-proc/address_spaces.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <vector>

namespace physmem::collect {
namespace {

int wait_for_signal(void*) {
  ::pause();
  return 0;
}

/// A child that waits. It has a copy of the address space of this process, or shares it (CLONE_VM).
class Child {
 public:
  explicit Child(int clone_flags)
      : stack_(65536),
        pid_(::clone(wait_for_signal, stack_.data() + stack_.size(), clone_flags | SIGCHLD,
                     nullptr)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Pid pid() const { return static_cast<Pid>(pid_); }

 private:
  std::vector<char> stack_;
  pid_t pid_;
};

TEST(AddressSpaces, AreSharedAfterCloneVmAndCopiedAfterFork) {
  const Pid self = static_cast<Pid>(::getpid());
  AddressSpaces spaces;
  if (!spaces.owner_of(self, self)) GTEST_SKIP() << "this kernel or sandbox has no kcmp";
  const Child sharer(CLONE_VM);
  const Child copy(0);
  const Child second_sharer(CLONE_VM);
  EXPECT_EQ(spaces.owner_of(sharer.pid(), sharer.pid()), self);
  EXPECT_EQ(spaces.owner_of(copy.pid(), copy.pid()), copy.pid());
  EXPECT_EQ(spaces.owner_of(second_sharer.pid(), second_sharer.pid()), self);
}

TEST(AddressSpaces, AreDistinguishedAmongManyTasks) {
  const Pid self = static_cast<Pid>(::getpid());
  AddressSpaces spaces;
  if (!spaces.owner_of(self, self)) GTEST_SKIP() << "this kernel or sandbox has no kcmp";
  std::vector<std::unique_ptr<Child>> children;
  for (int i = 0; i < 40; ++i)
    children.push_back(std::make_unique<Child>(i % 4 == 0 ? CLONE_VM : 0));
  for (std::size_t i = 0; i < children.size(); ++i) {
    const Pid pid = children[i]->pid();
    EXPECT_EQ(spaces.owner_of(pid, pid), i % 4 == 0 ? self : pid);
  }
  for (std::size_t i = 1; i < children.size(); i += 4) children[i].reset();  // end some owners
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!children[i]) continue;
    const Pid pid = children[i]->pid();
    EXPECT_EQ(spaces.owner_of(pid, pid), i % 4 == 0 ? self : pid);
  }
}

TEST(AddressSpaces, AreUnknownForMissingTask) {
  AddressSpaces spaces;
  EXPECT_FALSE(spaces.owner_of(0x7ffffff0, 0x7ffffff0));
}

}  // namespace
}  // namespace physmem::collect
