// SPDX-License-Identifier: MIT
#include "fleet/load/stored_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace physmem::fleet {
namespace {

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

std::string StoredFiles::remove() {
  std::string problem;
  for (const auto& [path, read] : std::exchange(read_, {})) {
    struct stat now {};
    if (::stat(path.c_str(), &now) != 0 || !is_same(read, now)) continue;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT && problem.empty())
      problem = path + ": cannot remove it: " + std::strerror(errno);
  }
  return problem;
}

}  // namespace physmem::fleet
