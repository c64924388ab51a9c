// SPDX-License-Identifier: MIT
#include "tools/pftraced/background.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "program/output_target.h"
#include "program/privileges.h"

namespace physmem::daemon {
namespace {

Error failed(const std::string& what) {
  return {Error::Kind::kIo, what + ": " + std::strerror(errno)};
}

/// A child that exits without a report has failed.
[[noreturn]] void end_as_reported(int pipe) {
  auto status = static_cast<unsigned char>(Exit::kIo);
  ssize_t size = 0;
  do size = ::read(pipe, &status, 1);
  while (size < 0 && errno == EINTR);
  ::_exit(size == 1 ? status : static_cast<int>(Exit::kIo));
}

/// If a daemon could write its own pid file, it could name any process, and an init script would
/// kill that process.
std::string flaw_of_pid_file(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return std::strerror(errno);
  if (status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  char mode[8] = {};
  std::snprintf(mode, sizeof(mode), "%04o", status.st_mode & 07777u);
  return "found owner " + std::to_string(status.st_uid) + " and mode " + mode +
         ", expected owner " + std::to_string(::geteuid()) +
         " and a mode such as 0644 without write access for other users; remove the file";
}

/// Whether the file holds a process id, or nothing: any other one is not overwritten.
bool is_pid_file(int file) {
  char content[16] = {};
  const ssize_t size = ::pread(file, content, sizeof(content), 0);
  if (size < 0 || size == static_cast<ssize_t>(sizeof(content))) return false;
  return std::strspn(content, "0123456789\n") == static_cast<std::size_t>(size);
}

}  // namespace

Result<Background> Background::enter() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("cannot make a pipe");
  UniqueFd from(ends[0]), to(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return failed("cannot fork");
  if (child > 0) {
    to.reset();
    end_as_reported(from.get());
  }
  ::setsid();
  ::umask(0);
  if (::chdir("/") != 0) return failed("cannot change to /");
  return Background(std::move(to));
}

void Background::report(Exit status) {
  if (status == Exit::kDone) {
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::dup2(nothing.get(), standard);
  }
  const auto byte = static_cast<unsigned char>(status);
  // The parent may have been killed.
  [[maybe_unused]] const ssize_t size = ::write(parent_.get(), &byte, 1);
  parent_.reset();
}

Result<UniqueFd> hold_pid_file(const std::string& path) {
  OutputInPlace opened = open_in_place(path, O_RDWR, 0644);
  UniqueFd file = std::move(opened.file);
  struct stat status {};
  if (opened.problem.empty() && (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)))
    opened.problem = "found a device or a pipe, expected a file";
  if (!opened.problem.empty())
    return Error{Error::Kind::kIo, path + ": cannot open: " + opened.problem};
  if (const std::string flaw = flaw_of_pid_file(file.get()); !flaw.empty())
    return Error{Error::Kind::kIo, path + ": " + flaw};
  if (!is_pid_file(file.get()))
    return Error{Error::Kind::kIo,
                 path + ": found other content than a process id; name another --pid-file"};
  // The lock is held by a read-only descriptor, because it stays open after root is dropped.
  const std::string opened_file = "/proc/self/fd/" + std::to_string(file.get());
  const UniqueFd writable =
      std::exchange(file, UniqueFd(::open(opened_file.c_str(), O_RDONLY | O_CLOEXEC)));
  if (!file) return failed(path + ": cannot open to lock it");
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failed(path + ": cannot lock");
    char other[16] = {};
    const ssize_t size = ::read(file.get(), other, sizeof(other) - 1);
    other[std::strcspn(other, "\n")] = '\0';
    return Error{Error::Kind::kIo,
                 path + ": pftraced is already running" +
                     (size > 0 ? std::string(", as process ") + other : std::string()) +
                     "; stop it, or use another --pid-file"};
  }
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(writable.get(), 0) != 0 || ::write(writable.get(), text.data(), text.size()) < 0)
    return failed(path + ": cannot write");
  return file;
}

Status drop_privileges(const std::string& user) {
  std::string problem;
  if (::geteuid() == 0) {
    const std::optional<Identity> identity = identity_of(user);
    if (!identity)
      return Error{Error::Kind::kBadInput,
                   "user: found \"" + user +
                       "\", expected a name of /etc/passwd, or a number up to 4294967294"};
    problem = become(*identity);
  }
  if (problem.empty()) problem = give_up_capabilities();
  if (!problem.empty()) return Error{Error::Kind::kIo, problem};
  return {};
}

void notify_service_manager(const char* state) {
  const char* const path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address = {};
  if (path == nullptr || std::strlen(path) < 2 || std::strlen(path) >= sizeof(address.sun_path))
    return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path, std::strlen(path) + 1);
  if (path[0] == '@') address.sun_path[0] = '\0';  // an abstract address
  const UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(path));
  ::sendto(socket.get(), state, std::strlen(state), MSG_NOSIGNAL,
           reinterpret_cast<sockaddr*>(&address), length);
}

}  // namespace physmem::daemon
