// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace physmem {

/// The command line of a running process of this machine, its words separated by blanks, at most
/// 300 bytes. Empty if it cannot be read, has none, or is not of the process with this name
/// (/proc/PID/comm).
std::string command_line_of(std::uint64_t pid, const std::string& name);

/// A function like command_line_of() that leaves out the middle of long lines. The usual columns of
/// sizes then have room next to them. `columns`: width of the terminal.
std::function<std::string(std::uint64_t pid, const std::string& name)> command_lines(
    std::size_t columns);

}  // namespace physmem
