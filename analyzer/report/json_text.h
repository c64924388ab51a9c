// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace physmem {

/// A text, or texts, as JSON. Bytes that are no UTF-8 become U+FFFD: JSON has no way to say them.
std::string json_text(const std::string& text);
std::string json_text(const std::vector<std::string>& texts);

}  // namespace physmem
