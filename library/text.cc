// SPDX-License-Identifier: MIT
#include "physmem/text.h"

#include "program/printable.h"

namespace physmem {

std::string utf8_name(std::string_view name) {
  return for_export(name);
}

}  // namespace physmem
