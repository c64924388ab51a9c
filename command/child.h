// SPDX-License-Identifier: MIT
// Other programs of physmem.
#pragma once

#include <string>
#include <vector>

#include "program/exit.h"
#include "program/result.h"

namespace physmem::command {

/// The path of a program: next to this one, in its place in the build tree, or in $PATH.
std::string path_of(const std::string& program);

/// Replaces this process. Returns only if that fails.
Error replace_by(const std::vector<std::string>& command);

/// A program whose standard output is this process's standard input.
class Source {
 public:
  /// An error if it cannot be started.
  static Result<Source> start(const std::vector<std::string>& command);

  /// Ends reading, so that a program that still writes ends as well, and waits for it. Its exit
  /// status; kIo if a signal other than SIGPIPE ended it.
  Exit wait() const;

 private:
  explicit Source(int pid) : pid_(pid) {}
  int pid_;
};

}  // namespace physmem::command
