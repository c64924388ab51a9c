// SPDX-License-Identifier: MIT
// Files made of an option table: a manual page and shell completion.
#pragma once

#include <string>

#include "program/option_text.h"

namespace physmem {

/// A manual page of section 1 as roff, for `man`.
std::string man_page_of(const OptionList& list);

/// A completion of options and file names, for bash-completion's folder.
std::string bash_completion_of(const OptionList& list);

/// The same for zsh, with the help of each option; a file `_PROGRAM` of its fpath.
std::string zsh_completion_of(const OptionList& list);

}  // namespace physmem
