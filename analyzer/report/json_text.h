// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace physmem {

/// Replaces DEL and U+0080 to U+009F, which terminals interpret, by \u00XX. The meaning of the JSON
/// is unchanged.
std::string without_controls(std::string json);

/// A text, or texts, as JSON. Invalid UTF-8 becomes U+FFFD, because JSON cannot represent it.
std::string json_text(const std::string& text);
std::string json_text(const std::vector<std::string>& texts);

}  // namespace physmem
