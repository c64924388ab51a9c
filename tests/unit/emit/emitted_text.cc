// SPDX-License-Identifier: MIT
#include "tests/unit/emit/emitted_text.h"

#include <vector>

namespace physmem {

std::string emitted(const std::function<void(pm_out*)>& write, std::size_t size) {
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

}  // namespace physmem
