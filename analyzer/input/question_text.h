// SPDX-License-Identifier: MIT
// A row of the table of questions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/input/forms.h"

namespace physmem {

/// What physmem-collect has to collect for an answer about this machine.
struct Collect {
  bool ram = false;         ///< the whole of RAM
  bool holders = false;     ///< what processes hold by descriptors
  bool tasks_only = false;  ///< no areas
  bool verifies = false;    ///< also what the kernel counts for each process and cgroup
  const char* interval = nullptr;
  std::size_t count = 1;  ///< snapshots, at intervals

  bool is_series() const { return count > 1; }
  bool is_usual() const { return !ram && !tasks_only && !is_series(); }
};

/// An option that changes the answer.
struct OwnOption {
  OwnOption(const char* option, std::string text = {},  // NOLINT(google-explicit-constructor)
            const char* without = nullptr)
      : name(option), help(std::move(text)), fallback(without) {}
  const char* name;
  std::string help;      ///< what it means for the verb; empty: the text of physmem-analyze
  const char* fallback;  ///< of `help`
};

/// What a verb has besides options.
enum class Operand : std::uint8_t {
  kSnapshots,
  kPid,     ///< the first is a process id: maps PID
  kFrames,  ///< the first ones are numbers: frame NUMBER
  kBefore,  ///< one snapshot is compared with this machine now: diff OLD
  kOutput,  ///< the first is the output: record FILE
  kExport,  ///< an output must be named: export -o FILE
};

struct QuestionText {
  const char* name = nullptr;  ///< in Options::questions, and of an option; unique
  const char* word = nullptr;  ///< of --ask and of the verb; nullptr: a report of the paper only
  const char* help = nullptr;  ///< one line
  bool is_report = false;      ///< of the paper: its option is documented
  bool is_form = false;        ///< not asked: a form of all that a snapshot has
  const char* examples = nullptr;  ///< lines; nullptr: it is no verb
  std::vector<OwnOption> options = {};
  Collect collect = {};
  bool counts_frames = false;  ///< of the whole of RAM
  Operand operand = Operand::kSnapshots;
  /// A word of the command line that is no file is a part of a file's name, not of a command.
  bool words_are_files = false;
  /// --cgroup selects rows, not processes.
  bool rows_are_cgroups = false;
  /// --cgroup selects frames that these groups pay for, not processes.
  bool frames_have_payers = false;
  /// A file or folder that is no snapshot is asked about.
  bool asks_paths = false;
  Format natural = Format::kText;
  bool has_picture = false;
  const char* ending = nullptr;  ///< of an output with this answer, which has text only
  std::size_t full_tables = 1;   ///< of the answer as CSV with --full
  /// A question about the series: its analysis gets all snapshots, and it is answered once after
  /// the last. If there is only one, the answer is like any other answer about one snapshot.
  bool of_series = false;
  std::size_t min_snapshots = 1;
  std::size_t max_snapshots = std::numeric_limits<std::size_t>::max();
  /// Of a file with several snapshots, it is answered about the last one.
  bool of_last = false;
  bool of_fleet = false;  ///< there is one answer over the snapshots of many machines
  /// With exactly two inputs, it is a question about the series of both.
  bool compares_two = false;
  /// It is answered after each snapshot, and the output always has the last answer only. It is
  /// asked alone.
  bool replaces_output = false;

  bool is_verb() const { return examples != nullptr; }
  bool has_all_forms() const { return ending == nullptr && !is_form; }
  bool is_asked() const { return word != nullptr && !is_form; }
  bool has(std::string_view option) const {
    return std::ranges::any_of(options, [&](const OwnOption& one) { return one.name == option; });
  }
};

}  // namespace physmem
