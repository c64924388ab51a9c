// SPDX-License-Identifier: MIT
// Instead of option_pages.cc and option_completion.cc in the small build, which has no manual.
#include "program/option_completion.h"
#include "program/option_pages.h"

namespace physmem {

std::string man_page_of(const OptionList& /*list*/) {
  return {};
}

ValueChoices choices_of(std::string_view /*expected*/) {
  return {};
}

std::string bash_completion_of(const OptionList& /*list*/) {
  return {};
}

std::string zsh_completion_of(const OptionList& /*list*/) {
  return {};
}

std::string fish_completion_of(const OptionList& /*list*/) {
  return {};
}

}  // namespace physmem
