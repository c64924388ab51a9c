// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace physmem {

/// A text, or texts, as JSON, in the form of for_export().
std::string json_text(const std::string& text);
std::string json_text(const std::vector<std::string>& texts);

}  // namespace physmem
