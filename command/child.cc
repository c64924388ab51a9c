// SPDX-License-Identifier: MIT
#include "command/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "program/unique_fd.h"

namespace physmem::command {
namespace {

/// Where the build tree has them, from this program's folder.
constexpr std::array<std::pair<const char*, const char*>, 9> kBuilt{
    {{"physmem-analyze", "../analyzer/cli/physmem-analyze"},
     {"physmem-collect", "../collector-proc/physmem-collect"},
     {"physmem-convert", "../convert/physmem-convert"},
     {"physmem-monitor", "../monitor/physmem-monitor"},
     {"physmem-top", "../top/physmem-top"},
     {"physmem-trace", "../tracer/record/physmem-trace"},
     {"physmem-view", "../viewer/physmem-view"},
     {"physmem-watch", "../watch/physmem-watch"},
     {"physmem-load", "../loads/physmem-load"}}};

/// With a slash at its end.
std::string own_folder() {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string own(path.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return own.substr(0, own.rfind('/') + 1);
}

std::vector<char*> words_of(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  return words;
}

Error cannot_start(const std::string& program, int error) {
  return {Error::Kind::kIo, "cannot start " + program + ": " + std::strerror(error) +
                                (error == ENOENT ? "; is it installed, and in $PATH?" : "")};
}

}  // namespace

std::string path_of(const std::string& program) {
  const std::string folder = own_folder();
  std::string place = folder + program;
  if (::access(place.c_str(), X_OK) == 0) return place;
  for (const auto& [name, built] : kBuilt)
    if (place = folder + built; program == name && ::access(place.c_str(), X_OK) == 0) return place;
  return program;
}

Error replace_by(const std::vector<std::string>& command) {
  ::signal(SIGPIPE, SIG_DFL);  // as the program found it when it was started by a shell
  const std::string path = path_of(command.front());
  ::execvp(path.c_str(), words_of(command).data());
  return cannot_start(command.front(), errno);
}

Result<Source> Source::start(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot_start(command.front(), errno);
  const UniqueFd read_end(ends[0]), write_end(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t broken_pipe;  // ends the program when the pipe has no reader
  ::sigemptyset(&broken_pipe);
  ::sigaddset(&broken_pipe, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &broken_pipe);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, path_of(command.front()).c_str(), &actions, &attributes,
                                   words_of(command).data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return cannot_start(command.front(), error);
  if (::dup2(read_end.get(), STDIN_FILENO) < 0) return cannot_start(command.front(), errno);
  return Source(pid);
}

Exit Source::wait() const {
  ::close(STDIN_FILENO);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0)
    if (errno != EINTR) return Exit::kIo;
  if (WIFEXITED(status)) return static_cast<Exit>(WEXITSTATUS(status));
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE ? Exit::kDone : Exit::kIo;
}

}  // namespace physmem::command
