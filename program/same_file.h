// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem {

/// Whether both names lead to the same regular file, by links too. Standard input and output ("-",
/// "") are files here as well: `< a -o a` is one file. A program asks before it opens its output,
/// because replacing a file that is read loses it.
bool is_same_file(const std::string& input, const std::string& output);

/// Whether two outputs would take each other's place: is_same_file(), or the same name in the same
/// folder that no file has yet.
bool is_same_output(const std::string& first, const std::string& second);

}  // namespace physmem
