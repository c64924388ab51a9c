// SPDX-License-Identifier: MIT
#include "program/child_process.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "program/errors.h"

namespace physmem {

std::string sibling_program(const std::string& name) {
  std::array<char, PATH_MAX> self{};
  const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size());
  if (length <= 0) return name;
  const std::string own(self.data(), static_cast<std::size_t>(length));
  const std::string sibling = own.substr(0, own.rfind('/') + 1) + name;
  return ::access(sibling.c_str(), X_OK) == 0 ? sibling : name;
}

Result<ChildProcess> start_child(const std::string& program, std::vector<std::string> arguments,
                                 ChildPipe direction) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return io_error("create a pipe", errno);
  UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  const bool is_input = direction == ChildPipe::kToInput;

  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, is_input ? reader.get() : writer.get(),
                                   is_input ? STDIN_FILENO : STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  ChildProcess child;
  const int error =
      ::posix_spawnp(&child.pid, program.c_str(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return io_error("start " + program, error);
  child.pipe = std::move(is_input ? writer : reader);
  return child;
}

ChildEnd wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return {static_cast<int>(Exit::kIo), 0};
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace physmem
