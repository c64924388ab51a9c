// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace physmem {

/// JSON with DEL and U+0080 to U+009F as \u00XX, which a terminal would obey. Its meaning stays.
std::string without_controls(std::string json);

/// A text, or texts, as JSON. Bytes that are no UTF-8 become U+FFFD: JSON has no way to say them.
std::string json_text(const std::string& text);
std::string json_text(const std::vector<std::string>& texts);

}  // namespace physmem
