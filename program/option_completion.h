// SPDX-License-Identifier: MIT
// The completions of shells made of an option table.
#pragma once

#include <string>
#include <string_view>

#include "program/option_text.h"

namespace physmem {

/// The choices that a setter's `expected` lists, such as "name, user or unit". Also with ",
/// separated by commas" at its end. None if it is any other text.
ValueChoices choices_of(std::string_view expected);

/// A completion of verbs, options, their choices and file names, for bash-completion's folder.
/// After a verb it calls the completion of its program, a file of the same folder.
std::string bash_completion_of(const OptionList& list);

/// The same for zsh, with the help of each option; a file `_PROGRAM` of its fpath.
std::string zsh_completion_of(const OptionList& list);

/// The same for fish; a file `PROGRAM.fish` of one of its folders of completions.
std::string fish_completion_of(const OptionList& list);

using PageWriter = std::string(const OptionList& list);
/// The writer of the manual page or of a completion, by the option that asks for it, such as
/// "--man-page"; nullptr for any other word.
PageWriter* page_writer(std::string_view word);

}  // namespace physmem
