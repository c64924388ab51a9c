// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace physmem {

/// The command line of a running process of this machine, its words separated by blanks, at most
/// 300 bytes. Empty if it cannot be read, has none, or is not of the process with this name
/// (/proc/PID/comm).
std::string command_line_of(std::uint64_t pid, const std::string& name);

}  // namespace physmem
