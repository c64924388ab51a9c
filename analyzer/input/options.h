// SPDX-License-Identifier: MIT
// What is asked of which snapshots, as data.
#pragma once

#include <array>
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
#include "analyzer/shape/stacks_shape.h"
#include "analyzer/shape/use_shape.h"
#include "program/result.h"

namespace physmem {

/// Questions whose pages of processes --node, --zone and --tier select.
inline constexpr std::array kPageQuestions{
    "summary", "processes",    "mappings", "users", "basic", "vma",   "units", "totals",
    "alerts",  "private-text", "count",    "pages", "diff",  "leaks", "folded"};
/// Questions whose frames of R: they select.
inline constexpr std::array kFrameQuestions{"summary", "ledger",        "cache", "slab",
                                            "kernel",  "fragmentation", "diff",  "leaks"};
/// Tables for people.
inline constexpr std::array kUseQuestions{"processes", "mappings", "users", "overview"};
/// Questions about RAM whose text --top limits.
inline constexpr std::array kTopQuestions{"ledger", "cache", "slab", "kernel"};
/// Questions whose tables --by splits.
inline constexpr std::array kSplitQuestions{"basic", "totals", "count",  "ledger",
                                            "cache", "slab",   "kernel", "fragmentation"};

/// Reports of the paper, with an option each. All others are questions: --ask WORD.
inline constexpr std::array kPaperReports{"basic",  "vma",   "units", "totals",
                                          "alerts", "count", "pages"};

/// The word of a question for --ask, which is also a verb of physmem. Empty: a report of the paper.
std::string ask_word(std::string_view question);
/// "--basic" or "--ask ps".
std::string option_of(std::string_view question);

inline constexpr const char* kProgramName = "physmem-analyze";

enum class Format { kText, kCsv, kJson, kPs, kPdf, kSvg, kPng, kSqlite, kPerfetto };

constexpr bool is_picture(Format format) {
  return format >= Format::kPs && format <= Format::kPng;
}

/// A form of all that a snapshot has, instead of answers.
constexpr bool is_export(Format format) {
  return format >= Format::kSqlite;
}

struct Options {
  std::set<std::string> questions;  ///< names in question_table(); never empty
  std::optional<Format> format;     ///< nothing: the natural form of each analysis
  bool is_virtual = false;
  bool is_full = false;
  bool keep_going = false;
  bool joins_counts = false;     ///< use counts are those of the snapshot's own page tables
  bool for_spreadsheet = false;  ///< CSV contains no formulas
  std::size_t jobs = 1;          ///< threads
  std::optional<std::uint64_t> max_memory;  ///< bytes; nothing: memory_share()
  bool is_fleet = false;  ///< --fleet; also implied by an input that is a directory
  bool fail_on_alert = false;
  std::string name_of_input = "standard input";  ///< in messages, for the input "-"
  std::string output = "-";
  std::size_t live_snapshots = 0;  ///< that are being collected; 0: not known
  bool has_input = true;           ///< false: no SNAPSHOT was given, so `inputs` is standard input
  std::string elf_root = "/";
  std::optional<double> service_time_ms;      ///< of a major fault; nothing: unknown
  ProcessFilter only;                         ///< processes
  std::vector<NamePattern> units;             ///< of --unit; empty: all
  UseGrouping group = UseGrouping::kProcess;  ///< of --processes
  UseView use;                                ///< of kUseQuestions and --diff
  bool shapes_diff = false;                   ///< `use` has a unit or number of rows for --diff
  StackWeight weight = StackWeight::kPss;     ///< of --folded
  RamSelection selection;                     ///< of pages and frames
  std::string map_path;                       ///< of --maps; empty: none
  std::string track_file;                     ///< empty: no tracking
  std::string track_label;
  std::vector<std::string> inputs;

  std::string text_instead;  ///< text of --help or --version: print it and exit
};

/// True for JSON as well: programs need the PID to distinguish processes of the same name.
inline bool names_pids(const Options& options) {
  return options.is_full || options.format == Format::kJson;
}

std::string_view name(Format format);

/// True if the form is an export.
inline bool is_for_export(const Options& options) {
  return options.format && is_export(*options.format);
}

/// True with --fleet, or if an input is a directory.
bool is_for_fleet(const Options& options);

/// "--basic and --ask ps".
std::string asked_questions(const Options& options);

/// The error of a file or an answer that needs more memory than --max-memory allows. `subject`: the
/// file and what was done with it.
Error memory_error(const std::string& subject, const Options& options);

/// After a snapshot was read: why its pages or frames could not be selected or split. Empty: they
/// were.
std::string selection_problem(const Options& options, const FrameFilter& filter);

}  // namespace physmem
