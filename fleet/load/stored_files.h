// SPDX-License-Identifier: MIT
// Files that are removed when the store has what they contain.
#pragma once

#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

namespace physmem::fleet {

class StoredFiles {
 public:
  /// Before the file is read.
  void begin(const std::string& path) { is_known_ = ::stat(path.c_str(), &status_) == 0; }
  /// After it was read to its end without a problem.
  void end(const std::string& path) {
    if (is_known_) read_.emplace_back(path, status_);
  }
  /// Does not remove this one.
  void keep(const std::string& path) {
    std::erase_if(read_, [&](const auto& file) { return file.first == path; });
  }
  /// Removes what was read, unless a writer has replaced it since. Empty, or the first problem.
  std::string remove();

 private:
  std::vector<std::pair<std::string, struct stat>> read_;
  struct stat status_ {};
  bool is_known_ = false;
};

}  // namespace physmem::fleet
