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
};

/// In the order of the help text.
std::span<const Verb> verbs();
/// By its name, or by another name that people guess; nullptr if there is none.
const Verb* find_verb(std::string_view name);
/// Words after the verb that a guessed name stands for: "--group=cgroup" of cgroups.
const char* words_of(std::string_view guessed);
/// "process, processes (ps), …".
std::string guessed_names();
/// The name that a user may have meant; empty: none is close.
std::string_view nearest_verb(std::string_view word);

}  // namespace physmem::command
