// SPDX-License-Identifier: MIT
// Parts of paths, and names in columns of a terminal that are too narrow for them.
#pragma once

#include <cstddef>
#include <string>

namespace physmem {

bool is_path(const std::string& text);

/// The last part of a path, with its slash.
std::string file_name(const std::string& path);

/// At most so many columns of a terminal. Of a path, as many folders at its end as fit, and the
/// file name; of other texts, and of a longer file name, the middle is left out.
std::string short_name(const std::string& text, std::size_t columns);

/// The same for paths whose ends are equal: the beginning, as far as it fits, and the file name.
std::string short_name_by_beginning(const std::string& text, std::size_t columns);

}  // namespace physmem
