// SPDX-License-Identifier: MIT
#include "analyzer/cli/option_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

#include "analyzer/cli/export_options.h"
#include "analyzer/cli/selection_options.h"
#include "analyzer/cli/use_options.h"
#include "analyzer/input/snapshot_files.h"
#include "program/memory_option.h"
#include "program/missing_option.h"
#include "program/option_value.h"

namespace physmem {
namespace {

/// "summary, overview … or metrics".
std::string words_to_ask() {
  std::vector<std::string_view> words;
  for (const QuestionText& question : questions())
    if (question.is_asked()) words.emplace_back(question.word);
  return one_of(words);
}

/// A line for each question.
std::string help_of_questions() {
  std::string help =
      "questions, separated by commas: the verbs of physmem, overview (physmem's first screen), "
      "and folded:";
  for (const QuestionText& question : questions())
    if (question.is_asked()) help += fmt::format("\n{}: {}", question.word, question.help);
  return help;
}

std::string add_question(ParsedOptions& options, const char* name) {
  options.questions.insert(name);
  return {};
}

std::string add_form(ParsedOptions& options, const char* name_of_form) {
  const auto all = forms();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::string_view(all[i].name) == name_of_form)
      options.forms.push_back(static_cast<Format>(i));
  return {};
}

std::string set_elf_root(ParsedOptions& options, const char* value) {
  options.elf_root = value;
  return is_directory(options.elf_root) ? "" : "a directory that exists";
}

std::string set_cgroup_names(ParsedOptions& options, const char* path) {
  std::ifstream lines(path);
  if (!lines || is_directory(path)) return "a file that can be read";
  auto names = CgroupNames::read(lines);
  if (!names) return names.error().text;
  options.cgroup_names = std::move(*names);
  return {};
}

std::string set_service_time(ParsedOptions& options, const char* value) {
  options.service_time_ms = parse_positive(value, kMaxServiceTimeMs);
  return options.service_time_ms ? "" : kServiceTimeForm;
}

std::string set_counts(ParsedOptions& options, const char* value) {
  const std::string_view counts = value;
  options.joins_counts = counts == "joined";
  return counts == "joined" || counts == "recorded" ? "" : "recorded or joined";
}

std::string set_at(ParsedOptions& options, const char* value) {
  options.at = parse_moment(value);
  return options.at ? "" : kMomentForm;
}

std::string add_frames(ParsedOptions& options, const char* value) {
  return for_each_word(value, [&](std::string_view word) -> std::string {
    const auto number = whole_number(word);
    if (!number) return "numbers, such as 1057750 or 0x1023d6, separated by commas";
    if (std::ranges::find(options.frames, *number) == options.frames.end())
      options.frames.push_back(*number);
    return {};
  });
}

std::string set_need(ParsedOptions& options, const char* value) {
  options.need = byte_size_of(value);
  options.need_text = value;
  return options.need.value_or(0) != 0 ? "" : "a whole number with a unit, such as 512M or 2G";
}

std::string set_label(ParsedOptions& options, const char* value) {
  options.track_label = value;
  return {};
}

std::string set_output(ParsedOptions& options, const char* value) {
  options.output = value;
  return options.output.empty() ? "the name of a file, or -" : "";
}

std::string set_map(ParsedOptions& options, const char* value) {
  options.map_path = value;
  return options.map_path.empty() ? "the path of a file, or its end" : "";
}

/// QUESTION of --ask: one word or several, separated by commas.
std::string add_asked(ParsedOptions& options, const char* value) {
  return for_each_word(value, [&](std::string_view word) -> std::string {
    const auto all = questions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const QuestionText& question) {
      return question.is_asked() && question.word == word;
    });
    if (found == all.end()) return words_to_ask() + ", separated by commas";
    options.questions.insert(found->name);
    return {};
  });
}

/// For an option that only has to be known: ParsedOptions::given has it.
std::string accept(ParsedOptions& /*options*/, const char* /*value*/) {
  return {};
}

OptionRows report_options() {
  OptionRows rows;
  for (const QuestionText& question : questions())
    if (question.is_report)
      rows.push_back({{0, question.name, nullptr, question.help}, add_question});
  return rows;
}

/// --ask, and an older option for each question.
OptionRows question_options() {
  static const std::string kHelp = help_of_questions();
  OptionRows rows{
      {{0, "ask", "QUESTION", kHelp.c_str(), "summary, without a report", "ps,ledger"}, add_asked}};
  for (const QuestionText& question : questions())
    if (question.is_asked() && !question.is_report)
      rows.push_back({{0, question.name, nullptr, question.help, nullptr, nullptr, nullptr, true},
                      add_question});
  return rows;
}

/// Of answers, or of all that a snapshot has.
OptionRows form_rows(bool are_exports) {
  OptionRows rows;
  const auto all = forms();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (is_export(static_cast<Format>(i)) == are_exports)
      rows.push_back({{0, all[i].name, nullptr, all[i].help}, add_form});
  return rows;
}

/// Written as a name that ends in .jsonl is.
std::string set_json_lines(ParsedOptions& options, const char* /*value*/) {
  options.is_json_lines = true;
  return add_form(options, "json");
}

OptionRows form_options() {
  OptionRows rows = form_rows(false);
  rows.insert(
      rows.end(),
      {{{0, "json-lines", nullptr,
         "JSON with a line for each snapshot, and one for each answer about a series (JSON Lines)"},
        set_json_lines},
       {{0, "physical", nullptr, "resident pages (default)"}, accept},
       {{0, "virtual", nullptr, "virtual sizes; charts show both"}, set_true<&Options::is_virtual>},
       {{0, "full", nullptr, "more columns than in the paper"}, set_true<&Options::is_full>},
       {{0, "spreadsheet", nullptr,
         "in CSV, put an apostrophe before a text that begins with = + - @ or a tab. Processes "
         "choose their names, and a spreadsheet evaluates such a name as a formula"},
        set_true<&Options::for_spreadsheet>}});
  return rows;
}

OptionRows export_options() {
  OptionRows rows = form_rows(true);
  rows.push_back(weight_row());
  return rows;
}

/// The endings of names that select a form.
const char* output_help() {
  static const std::string kHelp = fmt::format(
      "write to FILE, which appears whole or not at all. Its ending ({}) selects the form; without "
      "an ending, the form is the natural one",
      fmt::join(endings(), " "));
  return kHelp.c_str();
}

OptionRows input_options() {
  return {
      {{'o', "output", "FILE", output_help(), "-, standard output"}, set_output},
      {{'j', "jobs", "N",
        "read N of many files in parallel, or a long text with N threads, at most five (two if it "
        "is compact, compressed or a pipe). The answer is always the same",
        "number of CPUs"},
       set_jobs<&Options::jobs>},
      {{0, "at", "TIME",
        "of a recording, only the last snapshot up to this time, in local time. Without a date, "
        "the last such time",
        "ps, units and users: the last snapshot; others: each", "'2026-11-29 03:00'"},
       set_at},
      {{0, "counts", "WHAT",
        "use counts of pages: recorded, those of the kernel; joined, the entries of all page "
        "tables in the snapshot that point to the page's frame. Joined ones need a snapshot of "
        "all processes",
        "recorded"},
       set_counts},
      {{0, "max-memory", "SIZE",
        "memory limit; a file that exceeds it is an error, or is skipped if there are several",
        kMaxMemoryOption.fallback, kMaxMemoryOption.example},
       set_memory<&Options::max_memory>},
      {{0, "fleet", nullptr,
        "one table over all snapshots, with host and time. Implied if a SNAPSHOT is a directory"},
       set_true<&Options::is_fleet>},
      {{0, "keep-going", nullptr,
        "drop lines that break the format and report their number, instead of stopping"},
       set_true<&Options::keep_going>},
      {kAllowMissingOption, allow_missing<ParsedOptions>}};
}

const char* help_of_by() {
  static const std::string kHelp = "split tables by node, zone or tier. With " + those_with("by");
  return kHelp.c_str();
}

/// Which pages and frames count.
OptionRows place_options() {
  return {
      {{0, "pid", "LIST", "only these processes", "all", "1,23,456"},
       add_pids<&Options::only, &ProcessFilter::pids>},
      {{0, "node", "LIST",
        "only pages and frames of RAM in these NUMA nodes. Needs a snapshot of the whole of RAM",
        "all", "0,1"},
       add_nodes},
      {{0, "zone", "LIST", "only pages and frames of RAM in these zones", "all", "DMA32,Normal"},
       add_zones},
      {{0, "tier", "LIST",
        "only pages and frames of RAM in these memory tiers, as in "
        "/sys/devices/virtual/memory_tiering",
        "all", "4"},
       add_tiers},
      {{0, "by", "WHAT", help_of_by()}, set_by},
      {{0, "frames", "LIST", "with --ask frame: numbers of frames, decimal or hexadecimal", nullptr,
        "0x1023d6,1057750"},
       add_frames},
      {{0, "cgroup-names", "FILE",
        "with --ask cgroups: names of containers, pods and cgroups, lines of an id or path and a "
        "name"},
       set_cgroup_names},
      {{0, "need", "SIZE",
        "with --ask if-stopped: choose processes, or groups of --group, that free so much", nullptr,
        "2G"},
       set_need},
      {{0, "address", nullptr, "numbers of --frames are physical addresses"},
       set_true<&Options::frames_are_addresses>},
      {{0, "maps", "PATH",
        "with --ask cache: which pages of this file are cached, 64 per line. PATH is the whole "
        "name or its end",
        nullptr, "/usr/lib/libssl.so.3"},
       set_map}};
}

/// Of alerts, faults and tracking.
OptionRows alert_options() {
  return {
      {{0, "fail-on-alert", nullptr,
        "exit status 1 if the exact rule of the alerts finds something (if it does not apply: the "
        "paper's rule); with --ask faults: if there was thrashing; with leaks: if there is a leak"},
       set_true<&Options::fail_on_alert>},
      {{0, "elf-root", "DIR",
        "root directory of the snapshot's files, to search them for DT_TEXTREL",
        "/, if they are the same files"},
       set_elf_root},
      {{0, "service-time", "MS",
        "service time of a major fault, for --ask faults: 8 for a disk, 0.2 for an SSD, 0.02 for "
        "zram",
        "unknown; less than 1 ms of CPU time per fault is thrashing"},
       set_service_time},
      {{0, "track", "FILE.csv",
        "append the number of user space pages to FILE.csv and show how it changed"},
       set_text<&Options::track_file>},
      {{0, "label", "TEXT", "name of this entry with --track", "the file's name", "v1.2"},
       set_label}};
}

}  // namespace

std::vector<OptionGroup<ParsedOptions>> option_groups() {
  return {{"REPORTS OF THE PAPER (any number in one pass)", report_options()},
          {"QUESTIONS (any number in one pass)", question_options()},
          {"FORM (default: the natural form of each report and question)", form_options()},
          {"PROCESSES, AND TABLES OF --ask ps, units AND users", use_option_rows()},
          {"EXPORTS", export_options()},
          {"PAGES AND FRAMES", place_options()},
          {"INPUT AND OUTPUT", input_options()},
          {"ALERTS AND TRACKING", alert_options()}};
}

}  // namespace physmem
