// SPDX-License-Identifier: MIT
// What is asked of which snapshots, as data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/process_filter.h"
#include "analyzer/analyze/ram/frame_filter.h"
#include "analyzer/analyze/ram/ram_groups.h"
#include "analyzer/input/questions.h"
#include "analyzer/shape/cgroup_title.h"
#include "analyzer/shape/stacks_shape.h"
#include "analyzer/shape/use_shape.h"
#include "program/moment.h"
#include "program/result.h"

namespace physmem {

inline constexpr const char* kProgramName = "physmem-analyze";

struct Options {
  std::set<std::string> questions;  ///< names in questions(); never empty
  std::optional<Format> format;     ///< nothing: the natural form of each analysis
  bool is_json_lines = false;       ///< JSON has a line for each snapshot, not one document
  bool is_virtual = false;
  bool is_full = false;
  bool keep_going = false;
  bool joins_counts = false;     ///< use counts are computed from the snapshot's own page tables
  bool for_spreadsheet = false;  ///< CSV contains no formulas
  std::size_t jobs = 1;          ///< threads
  std::optional<std::uint64_t> max_memory;  ///< bytes; nothing: memory_share()
  bool is_fleet = false;     ///< --fleet; also implied by an input that is a directory
  bool skips_files = false;  ///< files that are not snapshots: `inputs` are those of a directory
  bool fail_on_alert = false;
  std::string command = kProgramName;            ///< as it was typed: "physmem ps"
  std::string name_of_input = "standard input";  ///< in messages, for the input "-"
  std::string output = "-";
  bool is_now = false;             ///< the input "-" is this machine, of which processes still run
  std::size_t live_snapshots = 0;  ///< that are being collected; 0: not known
  bool has_input = true;           ///< false: no SNAPSHOT was given, so `inputs` is standard input
  std::string elf_root = "/";
  std::optional<double> service_time_ms;         ///< of a major fault; nothing: unknown
  ProcessFilter only;                            ///< processes
  std::vector<NamePattern> units;                ///< of --file; empty: all
  UseGrouping group = UseGrouping::kProcess;     ///< of --ask ps and if-stopped
  bool has_group = false;                        ///< --group was given
  UseGrouping units_group = UseGrouping::kUnit;  ///< of --ask units
  UseView use;                                   ///< of tables of memory in use, and diff
  bool is_over_time = false;                     ///< ps, units and users about all of a series
  bool shapes_diff = false;                      ///< `use` has a unit or number of rows for diff
  StackWeight weight = StackWeight::kPss;        ///< of folded stacks
  RamSelection selection;                        ///< of pages and frames
  std::optional<Moment> at;                      ///< of --at: one snapshot of a recording
  std::string map_path;                          ///< of --maps; empty: none
  std::vector<std::uint64_t> frames;             ///< of --frame: numbers, or addresses in frames
  bool frames_are_addresses = false;
  std::optional<std::uint64_t> need;  ///< of --need: bytes
  std::string need_text;              ///< the same, as it was typed
  CgroupNames cgroup_names;           ///< of --cgroup-names
  bool asks_who = false;              ///< of --who: which processes map which part of a file
  /// Files and folders of this machine that are asked about, in place of all files in memory.
  std::vector<std::string> paths;
  std::string track_file;  ///< empty: no tracking
  std::string track_label;
  std::string ram;  ///< how the collector reads RAM, for an answer about this machine; empty: auto
  std::vector<std::string> inputs;
  std::vector<std::string> words;  ///< operands that are no files, and select what is asked about

  std::string text_instead;  ///< text of --help or --version: print it and exit
};

/// True for JSON as well: programs need the PID to distinguish processes of the same name.
inline bool names_pids(const Options& options) {
  return options.is_full || options.format == Format::kJson;
}

/// Whether if-stopped is about many sets of processes, each as if only that ended.
inline bool asks_for_sets(const Options& options) {
  return options.need || options.has_group;
}

/// True if the form is an export.
inline bool is_for_export(const Options& options) {
  return options.format && is_export(*options.format);
}

/// True with --fleet, or if an input is a directory and one answer over many machines exists.
/// Otherwise a directory stands for its files.
bool is_for_fleet(const Options& options);

/// Whether a file with several snapshots is answered about its last one only. A pipe may have no
/// end, of a damaged file it is not known what follows, and JSON says what is of which snapshot.
bool takes_last(const Options& options, const std::string& input);

/// Of CSV and JSON.
constexpr bool is_data(Format format) {
  return format == Format::kCsv || format == Format::kJson;
}

/// The unit of sizes in an answer: MiB for people, bytes for programs, unless the user chose one.
SizeUnit size_unit(const Options& options, Format format);

/// The questions, in the order of their answers.
std::vector<const QuestionText*> asked(const Options& options);

template <class Which>
bool any_asked(const Options& options, Which which) {
  return std::any_of(options.questions.begin(), options.questions.end(),
                     [&](const std::string& name) { return which(question_text(name)); });
}

/// Which processes count: all, if --cgroup selects rows of the answer.
ProcessFilter processes_of(const Options& options);

/// As the user asks it: "--basic", "--ask ps"; of a verb of physmem, "ps".
std::string asked_as(const Options& options, const QuestionText& question);
inline std::string asked_as(const Options& options, std::string_view name) {
  return asked_as(options, question_text(name));
}

/// "--basic and --ask ps".
std::string asked_questions(const Options& options);

/// The error of a file or an answer that needs more memory than --max-memory allows. `subject`: the
/// file and what was done with it.
Error memory_error(const std::string& subject, const Options& options);

/// After a snapshot was read: why its pages or frames could not be selected or split. Empty: they
/// were.
std::string selection_problem(const Options& options, const FrameFilter& filter);

}  // namespace physmem
