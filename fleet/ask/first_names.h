// SPDX-License-Identifier: MIT
// Names of hosts in a message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace physmem::fleet {

/// "a, b, …": the first `count` of the names.
inline std::string first_names(const std::vector<std::string>& names, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), count); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > count ? ", …" : "");
}

}  // namespace physmem::fleet
