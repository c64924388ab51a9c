// SPDX-License-Identifier: MIT
#include "program/same_file.h"

#include <sys/stat.h>
#include <unistd.h>

namespace physmem {
namespace {

bool find(const std::string& name, int standard, struct stat& file) {
  const bool is_standard = name.empty() || name == "-";
  return (is_standard ? ::fstat(standard, &file) : ::stat(name.c_str(), &file)) == 0 &&
         S_ISREG(file.st_mode);
}

}  // namespace

bool is_same_file(const std::string& input, const std::string& output) {
  struct stat a {
  }, b{};
  return find(input, STDIN_FILENO, a) && find(output, STDOUT_FILENO, b) && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

}  // namespace physmem
