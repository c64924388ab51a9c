// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "formats/emit/emit.h"
#include "formats/emit/ram.h"

namespace physmem {

/// The text that `write` emits through an output with a buffer of `size` bytes.
inline std::string emitted_by(const std::function<void(pm_out*)>& write,
                              std::size_t size = PM_OUT_MIN) {
  std::string text;
  std::vector<char> buffer(size);
  const auto append = [](void* to, const char* at, std::size_t n) {
    static_cast<std::string*>(to)->append(at, n);
    return 0;
  };
  pm_out out{buffer.data(), buffer.size(), 0, append, &text, 0};
  write(&out);
  pm_out_flush(&out);
  return text;
}

inline pm_text text_of(const std::string& text) {
  return {text.data(), text.size()};
}

}  // namespace physmem
