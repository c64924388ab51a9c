// SPDX-License-Identifier: MIT
// The verbs of physmem: what each runs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace physmem::command {

inline constexpr const char* kProgramName = "physmem";

/// An option of the program that a verb has.
struct VerbOption {
  VerbOption(const char* option, std::string text = {},  // NOLINT(google-explicit-constructor)
             const char* without = nullptr)
      : name(option), help(std::move(text)), fallback(without) {}
  const char* name;
  std::string help;      ///< what it means for the verb; empty: the program's text
  const char* fallback;  ///< of `help`
};

/// What physmem-collect has to collect for an analysis.
struct Collect {
  bool ram = false;         ///< the whole of RAM
  bool tasks_only = false;  ///< no areas
  const char* interval = nullptr;
  std::size_t count = 1;  ///< snapshots, at intervals

  bool is_series() const { return count > 1; }
  bool is_usual() const { return !ram && !tasks_only && !is_series(); }
};

/// As options of physmem-collect. `ram`: how RAM is read ("kcore"); empty: as it chooses.
std::vector<std::string> words_of(const Collect& collect, const std::string& ram = {});

struct Verb {
  enum class Kind {
    kAnalysis,  ///< of SNAPSHOTs; without one, of this machine now
    kProgram,   ///< another program
  };
  enum class Operand {
    kSnapshots,
    kPid,     ///< the first is a process id: maps PID
    kBefore,  ///< one snapshot is compared with this machine now: diff OLD
    kOutput,  ///< the first is the output: record FILE
    kExport,  ///< an output must be named: export -o FILE
  };
  const char* name;
  const char* help;
  Kind kind;
  Operand operand;
  const char* program;                   ///< that has all options
  std::vector<const char*> arguments;    ///< of the program, before those of the user
  Collect collect = {};                  ///< without SNAPSHOT
  std::vector<VerbOption> options = {};  ///< those that it has, in the order of its help
  const char* examples = "";             ///< lines, of the help
};

/// In the order of the help text.
std::span<const Verb> verbs();
/// nullptr if there is none.
const Verb* find_verb(std::string_view name);
/// "physmem-collect --ram | physmem-analyze --ledger".
std::string command_of(const Verb& verb);

}  // namespace physmem::command
