// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program/result.h"

namespace physmem::view {

/// The token in the first line of the file: 16 to 128 letters, digits and -._~, which need no
/// escape in an address.
Result<std::string> token_of_file(const std::string& path);

}  // namespace physmem::view
