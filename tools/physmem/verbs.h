// SPDX-License-Identifier: MIT
// The verbs of physmem: the questions of analyzer/input/questions.h, and other programs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/input/questions.h"

namespace physmem::command {

inline constexpr const char* kProgramName = "physmem";

/// As options of physmem-collect. `ram`: how RAM is read ("kcore"); empty: as it chooses.
std::vector<std::string> collector_words(const Collect& collect, const std::string& ram = {});

struct Verb {
  const char* name;
  const char* help;
  /// Of SNAPSHOTs; without one, of this machine now. nullptr: another program runs.
  const QuestionText* question = nullptr;
  const char* program = nullptr;
  Operand operand = Operand::kSnapshots;
  const char* argument = nullptr;  ///< for the program, before the user's arguments
};

/// In the order of the help text.
std::span<const Verb> verbs();
/// nullptr if there is none.
const Verb* find_verb(std::string_view name);

}  // namespace physmem::command
