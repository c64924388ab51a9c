// SPDX-License-Identifier: MIT
#include "program/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "program/printable.h"
#include "program/unique_fd.h"

namespace physmem {
namespace {

/// The beginning of the file; empty if it cannot be read.
std::string beginning_of(const std::string& path) {
  std::array<char, 300> bytes;
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t got = file ? ::read(file.get(), bytes.data(), bytes.size()) : -1;
  return got > 0 ? std::string(bytes.data(), static_cast<std::size_t>(got)) : std::string();
}

}  // namespace

std::string command_line_of(std::uint64_t pid, const std::string& name) {
  const std::string folder = "/proc/" + std::to_string(pid);
  if (beginning_of(folder + "/comm") != name + "\n") return "";
  std::string line = beginning_of(folder + "/cmdline");
  line.erase(line.find_last_not_of('\0') + 1);
  std::replace(line.begin(), line.end(), '\0', ' ');
  return line;
}

std::function<std::string(std::uint64_t, const std::string&)> command_lines(std::size_t columns) {
  constexpr std::size_t kOthers = 54;  ///< of PID, user, four sizes and a share
  constexpr std::size_t kLeast = 16;   ///< as long as the kernel's names
  const std::size_t width = std::max(kLeast, columns - std::min(columns, kOthers));
  return [width](std::uint64_t pid, const std::string& name) {
    return in_columns(command_line_of(pid, name), width);
  };
}

}  // namespace physmem
