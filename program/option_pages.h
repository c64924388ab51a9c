// SPDX-License-Identifier: MIT
// The manual page made of an option table.
#pragma once

#include <string>

#include "program/option_text.h"

namespace physmem {

/// A manual page of section 1 as roff, for `man`.
std::string man_page_of(const OptionList& list);

}  // namespace physmem
