// SPDX-License-Identifier: MIT
// Instead of option_pages.cc and option_completion.cc in the small build, which has no manual.
#include "program/option_completion.h"

namespace physmem {

PageWriter* page_writer(std::string_view /*word*/) {
  return nullptr;
}

ValueChoices choices_of(std::string_view /*expected*/) {
  return {};
}

}  // namespace physmem
