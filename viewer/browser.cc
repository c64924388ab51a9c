// SPDX-License-Identifier: MIT
#include "viewer/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "program/temporary_file.h"

namespace physmem::view {
namespace {

/// The environment of root does not fit the user.
void set_home(const Identity& identity) {
  if (!identity.home.empty()) ::setenv("HOME", identity.home.c_str(), 1);
  ::setenv("XDG_RUNTIME_DIR", fmt::format("/run/user/{}", identity.user).c_str(), 1);
}

/// Creates a file that only this user can read, and stores its path in `path`. Removes files of
/// killed runs.
UniqueFd new_file(std::string& path) {
  const TemporaryName form{"physmem-view-", ".html"};
  for (const char* name : {static_cast<const char*>(std::getenv("XDG_RUNTIME_DIR")), "/tmp"}) {
    if (name == nullptr) continue;
    const UniqueFd folder(::open(name, O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder) continue;
    remove_stale(folder.get(), form);
    NamedFile made = create_named(folder.get(), form, 0600);
    path = fmt::format("{}/{}", name, made.name);
    if (made.file) return std::move(made.file);
  }
  return {};
}

/// xdg-open starts a browser and exits. It is not waited for.
std::string start(const std::string& page) {
  std::string program = "xdg-open";
  std::string argument = page;
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // its output must not mix with this program's
  posix_spawn_file_actions_adddup2(&actions, 2, 1);
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? "" : "--open: xdg-open cannot be started: is xdg-utils installed?";
}

}  // namespace

Browser::~Browser() {
  if (!page_.empty()) ::unlink(page_.c_str());
}

std::string Browser::write_page(const std::string& url) {
  const std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
      "<meta http-equiv=\"refresh\" content=\"0; url={}\"><title>physmem-view</title>\n",
      url);
  std::string path;
  page_file_ = new_file(path);
  if (page_file_) page_ = path;
  if (page_file_ &&
      ::write(page_file_.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()))
    return {};
  return fmt::format("--open: {}: cannot write: {}; open the address yourself", path,
                     std::strerror(errno));
}

std::string Browser::open(const Identity& identity, bool was_root, const std::string& url) {
  if (was_root && !identity.is_caller)
    return "--open: started as root, and SUDO_UID does not name the user of a browser; "
           "open the "
           "address yourself";
  if (was_root) set_home(identity);
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
    return "--open: there is no display (DISPLAY, WAYLAND_DISPLAY); open the address yourself";
  const std::string problem = write_page(url);
  return problem.empty() ? start(page_) : problem;
}

}  // namespace physmem::view
