// SPDX-License-Identifier: MIT
// --help and the manual page of a verb that analyses snapshots.
#pragma once

#include <string>

#include "tools/physmem/verbs.h"

namespace physmem::command {

std::string help_of(const Verb& verb);
/// As roff, for `man`.
std::string man_page_of(const Verb& verb);

}  // namespace physmem::command
