// SPDX-License-Identifier: MIT
#include "program/same_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "program/output_place.h"

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

bool is_same_output(const std::string& first, const std::string& second) {
  if (is_same_file(first, second) || is_same_file(second, first)) return true;
  const OutputPlace a = find_output(first), b = find_output(second);
  struct stat of_a {
  }, of_b{};
  return !a.found && !b.found && a.name == b.name && ::fstat(a.folder.get(), &of_a) == 0 &&
         ::fstat(b.folder.get(), &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

}  // namespace physmem
