// SPDX-License-Identifier: MIT
#include "fleet/store/store.h"

#include <array>
#include <cstddef>

namespace physmem::fleet {

std::string_view name(Question question) {
  constexpr std::array<std::string_view, 14> kNames{
      "machines", "unit_names", "units", "changes",   "ram",    "hosts", "trend",
      "leaks",    "gaps",       "kept",  "last_kept", "alerts", "later", "largest"};
  return kNames[static_cast<std::size_t>(question)];
}

}  // namespace physmem::fleet
