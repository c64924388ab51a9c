// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem {

/// Whether both names refer to the same regular file, also through links. Standard input and output
/// ("-", "") are resolved as well: `< a -o a` is one file. A program checks this before it opens
/// its output, because replacing an input would lose it.
bool is_same_file(const std::string& input, const std::string& output);

/// Whether two outputs would take each other's place: is_same_file(), or the same name in the same
/// folder that no file has yet.
bool is_same_output(const std::string& first, const std::string& second);

}  // namespace physmem
