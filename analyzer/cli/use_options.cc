// SPDX-License-Identifier: MIT
#include "analyzer/cli/use_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/analyze/filter_options.h"
#include "analyzer/shape/use_history_shape.h"
#include "program/option_value.h"

namespace physmem {
namespace {

/// The columns of the table that is asked for, or of all tables.
std::string column_words(const ParsedOptions& options) {
  const auto is_asked = [&](const char* question) { return options.questions.contains(question); };
  if (is_asked("mappings")) return use_column_words(options.units_group);
  if (is_asked("users")) return use_column_words(UseGrouping::kUser);
  return is_asked("processes") ? use_column_words(options.group) : use_column_words();
}

std::string set_sort(ParsedOptions& options, const char* value) {
  options.use.sort = use_column(value);
  return options.use.sort ? "" : column_words(options);
}

std::string set_columns(ParsedOptions& options, const char* value) {
  options.use.columns.clear();
  return for_each_word(value, [&](std::string_view word) -> std::string {
    const auto column = use_column(word);
    if (!column) return column_words(options) + ", separated by commas";
    options.use.columns.push_back(*column);
    return {};
  });
}

std::string set_reverse(ParsedOptions& options, const char* /*value*/) {
  options.use.is_reversed = true;
  return {};
}

std::string set_top(ParsedOptions& options, const char* value) {
  const auto rows = number_of<std::size_t>(value);
  options.use.top = rows;
  return rows && *rows != 0 && *rows <= 1'000'000'000 ? ""
                                                      : "a number of rows from 1 to 1000000000";
}

std::string set_unit(ParsedOptions& options, const char* name) {
  options.use.unit = std::string_view(name) == "kib" ? SizeUnit::kKib : SizeUnit::kMib;
  return {};
}

constexpr const char* kPages = "pages";

/// The last two words are older, and not listed.
constexpr std::array<std::pair<std::string_view, UseGrouping>, 9> kUseGroupings{
    {{"process", UseGrouping::kProcess},
     {"command", UseGrouping::kName},
     {"user", UseGrouping::kUser},
     {"program", UseGrouping::kProgram},
     {"tree", UseGrouping::kTree},
     {"cgroup", UseGrouping::kCgroup},
     {"file", UseGrouping::kUnit},
     {"name", UseGrouping::kName},
     {"unit", UseGrouping::kUnit}}};

std::string set_group(ParsedOptions& options, const char* value) {
  const auto found = std::find_if(kUseGroupings.begin(), kUseGroupings.end(),
                                  [&](const auto& grouping) { return grouping.first == value; });
  if (found == kUseGroupings.end()) return "process, command, program, tree, user, cgroup or file";
  options.group = options.units_group = found->second;
  options.has_group = true;
  return {};
}

/// Columns that a table does not have would be empty, or say something else.
Status check_columns(const ParsedOptions& options, const char* question, UseGrouping grouping) {
  if (!options.questions.contains(question)) return {};
  const auto refusal = [&](const char* option, UseColumn column) {
    return wrong_usage(
        options,
        fmt::format(
            "{}: found {}, which the table of {}{} does not have, expected {}", option,
            word_of(column), asked_as(options, question),
            grouping == options.group && grouping != UseGrouping::kProcess ? " --group" : "",
            use_column_words(grouping)));
  };
  for (const UseColumn column : options.use.columns)
    if (!has_column(grouping, column)) return refusal("--columns", column);
  if (options.use.sort && !has_column(grouping, *options.use.sort))
    return refusal("--sort", *options.use.sort);
  return {};
}

/// What a series over time has no place for.
Status check_over_time(const ParsedOptions& options) {
  if (!options.is_over_time) return {};
  const auto has_it = [](const QuestionText& question) { return question.has("over-time"); };
  if (!any_asked(options, has_it))
    return wrong_usage(options, requires_option("--over-time", "--ask ps, units or users"));
  if (options.at) return wrong_usage(options, conflicts_with("--over-time", "--at"));
  if (options.questions.contains("mappings") && options.units_group != UseGrouping::kUnit)
    return wrong_usage(options, conflicts_with("--over-time", "--group of --ask units"));
  if (!options.use.columns.empty())
    return wrong_usage(options, conflicts_with("--over-time", "--columns"));
  if (options.use.sort && !measure_of(*options.use.sort))
    return wrong_usage(options,
                       fmt::format("--over-time: found --sort {}, expected uss, pss, rss, swap or "
                                   "vss",
                                   word_of(*options.use.sort)));
  return {};
}

/// Parts of files have columns and an order of their own.
Status check_who(const ParsedOptions& options) {
  const bool is_only_who = options.questions == std::set<std::string>{"mappings"};
  if (!options.asks_who && options.is_full && is_only_who)
    return wrong_usage(options, requires_option("--full", "--who"));
  if (!options.asks_who) return {};
  if (!options.questions.contains("mappings") || options.units.empty())
    return wrong_usage(options, requires_option("--who", "a word of a file, or --file"));
  for (const char* other : {"group", "over-time", "sort", "reverse", "columns"})
    if (options.has(other))
      return wrong_usage(options, conflicts_with("--who", std::string("--") + other));
  if (options.format && is_picture(*options.format))
    return wrong_usage(options, conflicts_with("--who", chosen_form(options)));
  return {};
}

/// --top of an answer with several tables: only in text, where the tables have an order.
Status check_top(const ParsedOptions& options) {
  const auto has_rows = [](const QuestionText& question) {
    return question.has("top") && !question.counts_frames;
  };
  if (!options.use.top || any_asked(options, has_rows)) return {};
  const auto refuse = [&](const std::string& other) {
    return wrong_usage(options, conflicts_with("--top", other));
  };
  if (options.format && *options.format != Format::kText)
    return wrong_usage(options, fmt::format("--top: found {}, expected text: rows of other forms "
                                            "are not limited here",
                                            chosen_form(options)));
  if (options.selection.by != RamSelection::By::kNothing) return refuse("--by");
  if (!options.map_path.empty()) return refuse("--maps");
  return {};
}

/// Its rows as CSV and JSON have levels of their own.
Status check_group_of_diff(const ParsedOptions& options) {
  if (!options.questions.contains("diff") || options.group == UseGrouping::kProcess) return {};
  constexpr const char* kExpected = "command, user or cgroup";
  if (options.group == UseGrouping::kUnit)
    return wrong_usage(options, wrong_value("--group", "file", kExpected));
  if (options.group == UseGrouping::kProgram)
    return wrong_usage(options, wrong_value("--group", "program", kExpected));
  if (options.group == UseGrouping::kTree)
    return wrong_usage(options, wrong_value("--group", "tree", kExpected));
  if (options.format == Format::kCsv || options.format == Format::kJson)
    return wrong_usage(options, conflicts_with("--group", chosen_form(options)));
  return {};
}

OptionRow<ParsedOptions> who_row() {
  return {{0, "who", nullptr,
           "with --ask units and --file: which processes map which part of the files"},
          set_true<&Options::asks_who>};
}

OptionRow<ParsedOptions> over_time_row() {
  return {
      {0, "over-time", nullptr,
       "with --ask ps, units and users: a series over time instead of its last snapshot. --sort "
       "chooses what is followed: uss, pss, rss, swap or vss"},
      set_true<&Options::is_over_time>};
}

}  // namespace

std::vector<OptionRow<ParsedOptions>> use_option_rows() {
  static const std::string kColumnWords = use_column_words();
  return {
      {{0, "command", "PATTERN",
        "only processes with this command, in all analyses: a shell pattern, or a regular "
        "expression between slashes, /^py/",
        "all", "'python*'", "name"},
       add_pattern<&ParsedOptions::only, &ProcessFilter::names>},
      {{0, "user", "LIST", "only processes of these users", "all", "root,1000"},
       add_users<&ParsedOptions::only, &ProcessFilter::users>},
      {{0, "cgroup", "PATTERN",
        "only processes in this cgroup, or below it; of ledger and cache, frames that it pays for",
        "all", "/system.slice"},
       add_pattern<&ParsedOptions::only, &ProcessFilter::cgroups>},
      {{0, "file", "PATTERN",
        "with --ask ps and users, only processes that map this file; with --ask units, only "
        "this file",
        "all", "'libssl*'", "unit"},
       add_pattern<&ParsedOptions::units>},
      {{0, "group", "WHAT",
        "with --ask ps and units: a row for each process, command, program, tree of processes, "
        "user, cgroup or file; of units, with its part of the files. With --ask if-stopped: what "
        "each frees. With --ask diff: command, user or cgroup, in text and charts"},
       set_group},
      who_row(),
      over_time_row(),
      {{'s', "sort", "COLUMN", "the largest first; texts and PIDs ascend", "pss", "rss"}, set_sort},
      {{'r', "reverse", nullptr, "the smallest first; texts and PIDs descend"}, set_reverse},
      {{'n', "top", "N",
        "only the first N rows. With --ask diff, ledger, cache, slab and kernel: of each table of "
        "text. With --ask metrics: the N largest commands, files and cgroups",
        "all; with diff, 10; with metrics, 20", "10"},
       set_top},
      {{0, "columns", "LIST", kColumnWords.c_str(), nullptr, "pid,command,pss"}, set_columns},
      {{0, "mib", nullptr,
        "sizes in MiB, which is the unit of text; CSV and JSON have bytes. With a question that "
        "has sizes, --pages is their unit and not the report"},
       set_unit},
      {{'k', "kib", nullptr, "sizes in KiB"}, set_unit}};
}

/// --pages is a unit of these tables, and otherwise a report.
Status take_size_unit(ParsedOptions& options) {
  if (options.has("mib") && options.has("kib"))
    return wrong_usage(options, conflicts_with("--mib", "--kib"));
  const bool is_unit =
      any_asked(options, [](const auto& one) { return one.name != kPages && one.has(kPages); });
  if (!is_unit || options.questions.erase(kPages) == 0) return {};
  if (options.has("mib") || options.has("kib"))
    return wrong_usage(options, conflicts_with("--pages", "--kib or --mib"));
  options.use.unit = SizeUnit::kPages;
  return {};
}

Status check_use_options(ParsedOptions& options) {
  if (Status status = take_size_unit(options); !status) return status;
  options.shapes_diff = options.questions.contains("diff") &&
                        (options.has("mib") || options.has_group || options.has("kib") ||
                         options.has(kPages) || options.use.top.has_value());
  if (Status status = check_top(options); !status) return status;
  if (Status status = check_over_time(options); !status) return status;
  if (Status status = check_who(options); !status) return status;
  if (Status status = check_group_of_diff(options); !status) return status;
  if (Status status = check_columns(options, "processes", options.group); !status) return status;
  if (Status status = check_columns(options, "mappings", options.units_group); !status)
    return status;
  return check_columns(options, "users", UseGrouping::kUser);
}

}  // namespace physmem
