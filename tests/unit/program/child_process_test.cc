// SPDX-License-Identifier: MIT
#include "program/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace physmem {
namespace {

std::string read_all(int fd) {
  std::string text;
  std::array<char, 256> part{};
  for (ssize_t n = 0; (n = ::read(fd, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(n));
  return text;
}

TEST(ChildProcess, ReadsThePipeAndReturnsItsStatus) {
  auto child = start_child("sh", {"sh", "-c", "read word; exit \"$word\""}, ChildPipe::kToInput);
  ASSERT_TRUE(child) << child.error().text;
  ASSERT_EQ(::write(child->pipe.get(), "3\n", 2), 2);
  child->pipe.reset();
  const ChildEnd end = wait_for(child->pid);
  EXPECT_EQ(end.status, 3);
  EXPECT_EQ(end.signal, 0);
}

TEST(ChildProcess, WritesToThePipe) {
  auto child = start_child("sh", {"sh", "-c", "echo hello; kill -9 $$"}, ChildPipe::kFromOutput);
  ASSERT_TRUE(child) << child.error().text;
  EXPECT_EQ(read_all(child->pipe.get()), "hello\n");
  EXPECT_EQ(wait_for(child->pid).signal, SIGKILL);
}

TEST(ChildProcess, EndsWhenThePipeIsClosed) {
  auto child = start_child("cat", {"cat"}, ChildPipe::kToInput);
  ASSERT_TRUE(child) << child.error().text;
  child->pipe.reset();
  EXPECT_EQ(wait_for(child->pid).status, 0);
}

TEST(ChildProcess, ReportsAMissingProgram) {
  const auto child = start_child("/no/such/program", {"program"}, ChildPipe::kToInput);
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().text, "cannot start /no/such/program: No such file or directory");
}

TEST(SiblingProgram, IsInTheFolderOfThisProgramOrInPath) {
  EXPECT_EQ(sibling_program("no-such-program"), "no-such-program");
  EXPECT_TRUE(sibling_program("program_test").ends_with("/program_test"));
}

}  // namespace
}  // namespace physmem
