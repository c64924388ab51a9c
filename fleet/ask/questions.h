// SPDX-License-Identifier: MIT
// The questions about a store: the only table of them. Help, completion and the checks of options
// are made of it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fleet/ask/answer.h"
#include "fleet/ask/asked.h"
#include "fleet/ask/selected.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

struct QuestionRow {
  std::string_view name;
  const char* help;  ///< one line
  Result<Answer> (*answer)(Store& store, const Selected& selected, const Asked& asked);
  bool is_of_files;  ///< --file has an effect
  bool has_archive;  ///< its rows name snapshots of the archive
  bool has_picture;
};

std::span<const QuestionRow> questions();
/// nullptr: there is none with this name.
const QuestionRow* find_question(std::string_view name);

/// "units, hosts … or snapshots".
const std::string& question_form();
/// Those with a picture.
std::string picture_form();
/// A line for each question.
std::string help_of_questions();

}  // namespace physmem::fleet
