// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace physmem {

/// Replaces DEL and the characters above it that is_control() has, which terminals interpret, by
/// \uXXXX. The meaning of the JSON is unchanged.
std::string without_controls(std::string json);

/// A text, or texts, as JSON. Invalid UTF-8 becomes U+FFFD, because JSON cannot represent it.
std::string json_text(const std::string& text);
std::string json_text(const std::vector<std::string>& texts);

}  // namespace physmem
