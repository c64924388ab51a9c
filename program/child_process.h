// SPDX-License-Identifier: MIT
// Another program that reads what this one writes, or the other way round.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "program/result.h"
#include "program/unique_fd.h"

namespace physmem {

/// The path of a program of this project: in the folder of the running program, if it is there.
/// Otherwise its name, which is searched in $PATH.
std::string sibling_program(const std::string& name);

/// A running program with a pipe to its standard input or from its standard output.
struct ChildProcess {
  pid_t pid = 0;
  UniqueFd pipe;  ///< this program's end
};

enum class ChildPipe { kToInput, kFromOutput };

/// The child has a process group of its own, so that Ctrl-C reaches only this program. It is
/// expected to end when the pipe is closed. arguments[0] is its name. Call
/// fill_standard_descriptors() first.
Result<ChildProcess> start_child(const std::string& program, std::vector<std::string> arguments,
                                 ChildPipe direction);

/// How a process ended.
struct ChildEnd {
  int status = 0;  ///< exit status
  int signal = 0;  ///< that ended it; 0: it exited
};

/// Waits until it ends. The pipe must be closed.
ChildEnd wait_for(pid_t pid);

}  // namespace physmem
