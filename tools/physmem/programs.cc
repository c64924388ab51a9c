// SPDX-License-Identifier: MIT
#include "tools/physmem/programs.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "program/child_process.h"

namespace physmem::command {
namespace {

/// Where the build tree has them, from this program's folder.
constexpr std::array<std::pair<const char*, const char*>, 10> kBuilt{
    {{"physmem-analyze", "../../analyzer/cli/physmem-analyze"},
     {"physmem-collect", "../../collector-proc/physmem-collect"},
     {"physmem-convert", "../convert/physmem-convert"},
     {"physmem-fleet", "../../fleet/physmem-fleet"},
     {"physmem-monitor", "../monitor/physmem-monitor"},
     {"physmem-top", "../../top/physmem-top"},
     {"physmem-trace", "../trace/physmem-trace"},
     {"physmem-view", "../../viewer/physmem-view"},
     {"physmem-watch", "../watch/physmem-watch"},
     {"physmem-load", "../load/physmem-load"}}};

/// With a slash at its end.
std::string own_folder() {
  std::array<char, 4096> path{};
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string own(path.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return own.substr(0, own.rfind('/') + 1);
}

std::vector<char*> words_of(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  return words;
}

Error cannot_start(const std::string& program, int error) {
  const bool is_built_here = ::access((own_folder() + "../../CMakeCache.txt").c_str(), F_OK) == 0;
  const char* const advice = error != ENOENT ? ""
                             : is_built_here ? "; scripts/quickstart --all builds it"
                                             : "; is it installed, and in $PATH?";
  return {Error::Kind::kIo, "cannot start " + program + ": " + std::strerror(error) + advice};
}

}  // namespace

std::string path_of(const std::string& program) {
  const std::string folder = own_folder();
  for (const auto& [name, built] : kBuilt)
    if (std::string place = folder + built; program == name && ::access(place.c_str(), X_OK) == 0)
      return place;
  return sibling_program(program);
}

Error replace_by(const std::vector<std::string>& command) {
  ::signal(SIGPIPE, SIG_DFL);  // as the program found it when it was started by a shell
  const std::string path = path_of(command.front());
  ::execvp(path.c_str(), words_of(command).data());
  return cannot_start(command.front(), errno);
}

}  // namespace physmem::command
