// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "formats/emit/emit.h"

namespace physmem {

/// What a piece of code writes through an output with a buffer of `size` bytes.
std::string emitted(const std::function<void(pm_out*)>& write, std::size_t size = PM_OUT_MIN);

inline pm_text text_of(const std::string& text) {
  return {text.data(), text.size()};
}

}  // namespace physmem
