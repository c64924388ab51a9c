// SPDX-License-Identifier: MIT
#include "analyzer/cli/output_kind.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace physmem {
namespace {

bool is_private(const std::string& input) {
  struct stat status {};
  const int error = input == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(input.c_str(), &status);
  return error == 0 && (!S_ISREG(status.st_mode) || (status.st_mode & S_IROTH) == 0);
}

}  // namespace

OutputKind kind_of_output(const std::vector<std::string>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), is_private) ? OutputKind::kSnapshot
                                                               : OutputKind::kReport;
}

}  // namespace physmem
