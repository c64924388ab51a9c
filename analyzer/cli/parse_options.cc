// SPDX-License-Identifier: MIT
#include "analyzer/cli/parse_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/cli/check_options.h"
#include "analyzer/cli/export_options.h"
#include "analyzer/cli/question_table.h"
#include "analyzer/cli/selection_options.h"
#include "analyzer/cli/use_options.h"
#include "analyzer/input/snapshot_files.h"
#include "program/memory_option.h"
#include "program/option_table.h"
#include "program/option_value.h"
#include "program/printable.h"

namespace physmem {
namespace {

constexpr std::array kFormats{Format::kText, Format::kCsv, Format::kJson, Format::kPs,
                              Format::kPdf,  Format::kSvg, Format::kPng,  Format::kSqlite};

constexpr ProgramText kProgram{
    kProgramName, "report where the physical memory of a Linux system goes",
    "  physmem-analyze [REPORT | --ask QUESTION]... [OPTION]... [SNAPSHOT]...\n",
    R"(Reads snapshots of physmem-collect, text or compact, and version 1 files of the
paper. They may be compressed with gzip, zstd, xz or lz4. Without SNAPSHOT, or
if it is -, reads standard input. If SNAPSHOT is a directory, all snapshots
below it give one answer (see MANY SNAPSHOTS). Counts are in pages.
)",
    R"(EXAMPLES
  what uses this machine's memory?
    physmem-collect | physmem-analyze
  the processes with most memory, in MiB:
    physmem-collect | physmem-analyze --ask ps --top 20
  pages of each process, as CSV:
    physmem-analyze --basic snap.txt
  the same as a chart, with virtual sizes:
    physmem-analyze --basic --virtual -o all.pdf snap.txt.zst
  which pages of init are resident and shared?
    physmem-analyze --vma --pid 1 snap.txt | less
  what each library costs:
    physmem-analyze --totals --full --json snap.txt
  is there library code that is not shared?
    physmem-analyze --alerts --fail-on-alert snap.txt
  does it thrash, and which process?
    physmem-collect --tasks-only --interval 1s --count 60 |
      physmem-analyze --ask faults
  metrics for node_exporter, every minute (FOLDER: its textfile directory):
    physmem-collect --interval 1m |
      physmem-analyze --ask metrics -o FOLDER/physmem.prom
  a day of many hosts, by host, time and unit; the alerts are in day-alerts.csv:
    physmem-analyze --totals --alerts -o day.csv snapshots/
  a flame graph of memory:
    physmem-analyze --ask folded snap.txt | flamegraph.pl > memory.svg
  a database of a series, for your own queries:
    physmem-analyze -o snap.db series.txt
  compare version with version:
    physmem-analyze --track pages.csv --label v1.2 snap.txt

MANY SNAPSHOTS (a directory, or --fleet)
  --totals, --basic, --alerts and --count print one table each, with columns
  Host and Time in front. --ask summary is a digest: the memory of each
  executable unit (minimum, mean, maximum and its host), and its sum over all
  hosts. Files are read in the order of their paths. Hidden files, name~,
  name.tmp, name.part and the output are skipped. Files that are not snapshots
  are reported and skipped, and the exit status is 5. The same holds for the
  files that remain after Ctrl-C. A second Ctrl-C ends the program at once.
  Tables after the first are kept in $TMPDIR (default: /var/tmp) until the end.
  As CSV, each table has its own file.

TERMS OF --ask faults
  A refault is a page that is read back soon after it was evicted. The refault
  condition holds while pages are read back and others are evicted for them. L
  is the CPU time per major fault. Levels: 0 idle, 1 reclaim, R recovering
  (pages are read back, none are evicted), H held back (tasks wait because of
  memory.high of their control group), 2 refaulting, 3 thrashing, 4 severe,
  5 critical.

EXIT STATUS
  0 done   1 alerts, with --fail-on-alert; --ask verify found a difference
  2 wrong usage
  3 bad or truncated input
  4 cannot read or write, or --max-memory is too small
  5 done, but data was missing (see standard error)
)"};

/// The number of CPUs that this process may use.
std::size_t cpus() {
  cpu_set_t set;
  const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return static_cast<std::size_t>(std::max(n, 1));
}

/// "summary, overview … or metrics".
std::string words_to_ask() {
  std::vector<std::string> words;
  for (const QuestionKind& kind : question_table())
    if (std::string word = ask_word(kind.name); !word.empty()) words.push_back(std::move(word));
  const std::string last = words.back();
  words.pop_back();
  return fmt::format("{} or {}", fmt::join(words, ", "), last);
}

/// A line for each question.
std::string help_of_questions() {
  std::string help = "questions of physmem, separated by commas:";
  for (const QuestionKind& kind : question_table())
    if (const std::string word = ask_word(kind.name); !word.empty())
      help += fmt::format("\n{}: {}", word, kind.help);
  return help;
}

std::string add_question(ParsedOptions& options, const char* name) {
  options.questions.insert(name);
  return {};
}

std::string add_form(ParsedOptions& options, const char* name_of_form) {
  for (const Format format : kFormats)
    if (name(format) == name_of_form) options.forms.push_back(format);
  return {};
}

/// The file's name from its last dot on. An ending of digits is a version or a date, as in
/// pages.2026-11-24, and is ignored.
std::string_view ending_of(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return "";
  const std::string_view ending = file.substr(dot);
  return ending.find_first_not_of(".-_0123456789") == std::string_view::npos ? "" : ending;
}

/// The form for the ending of the output's name. An unknown ending is an error, because the content
/// would not match it.
Result<std::optional<Format>> format_of_ending(const ParsedOptions& options) {
  const std::string& output = options.output;
  const std::string_view ending = ending_of(output);
  if (ending.empty()) return std::optional<Format>();
  if (ending == ".txt" || ending == ".folded") return std::optional(Format::kText);
  if (ending == ".db") return std::optional(Format::kSqlite);
  if (ending == ".perfetto-trace") return std::optional(Format::kPerfetto);
  const bool has_metrics = options.questions.contains("metrics");
  if (ending == ".prom" && has_metrics) return std::optional(Format::kText);
  for (const Format format : kFormats)
    if (ending.substr(1) == name(format)) return std::optional(format);
  return wrong_usage(
      "--output: found " + in_quotes(output, kWholePath) + ", expected a name that ends in " +
      (has_metrics ? ".prom or .txt"
                   : ".txt, .csv, .json, .ps, .pdf, .svg, .png, .folded, .db, .sqlite or "
                     ".perfetto-trace, or a form as an option, such as --csv"));
}

Result<std::optional<Format>> chosen_format(const ParsedOptions& options) {
  for (const Format form : options.forms)
    if (form != options.forms.front())
      return wrong_usage(conflicts_with(fmt::format("--{}", name(options.forms.front())),
                                        fmt::format("--{}", name(form))));
  if (options.forms.empty()) return format_of_ending(options);
  return std::optional(options.forms.front());
}

std::string set_elf_root(ParsedOptions& options, const char* value) {
  options.elf_root = value;
  options.has_elf_root = true;
  return is_directory(options.elf_root) ? "" : "a directory that exists";
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

std::string set_label(ParsedOptions& options, const char* value) {
  options.track_label = value;
  options.has_label = true;
  return {};
}

std::string set_map(ParsedOptions& options, const char* value) {
  options.map_path = value;
  return options.map_path.empty() ? "the path of a file, or its end" : "";
}

/// QUESTION of --ask: one word or several, separated by commas.
std::string add_asked(ParsedOptions& options, const char* value) {
  return for_each_word(value, [&](std::string_view word) -> std::string {
    const auto kinds = question_table();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const QuestionKind& one) {
      return !word.empty() && ask_word(one.name) == word;
    });
    if (kind == kinds.end()) return words_to_ask() + ", separated by commas";
    options.questions.insert(kind->name);
    return {};
  });
}

std::vector<OptionRow<ParsedOptions>> report_options() {
  std::vector<OptionRow<ParsedOptions>> rows;
  for (const QuestionKind& kind : question_table())
    if (ask_word(kind.name).empty())
      rows.push_back({{0, kind.name, nullptr, kind.help}, add_question});
  return rows;
}

/// --ask, and an older option for each question.
std::vector<OptionRow<ParsedOptions>> question_options() {
  static const std::string kHelp = help_of_questions();
  std::vector<OptionRow<ParsedOptions>> rows{
      {{0, "ask", "QUESTION", kHelp.c_str(), "summary, without a report", "ps,ledger"}, add_asked}};
  for (const QuestionKind& kind : question_table())
    if (!ask_word(kind.name).empty())
      rows.push_back(
          {{0, kind.name, nullptr, kind.help, nullptr, nullptr, nullptr, true}, add_question});
  return rows;
}

const std::vector<OptionRow<ParsedOptions>> kFormOptions{
    {{0, "text", nullptr, "readable text"}, add_form},
    {{0, "csv", nullptr, "comma-separated values"}, add_form},
    {{0, "json", nullptr, "one JSON document"}, add_form},
    {{0, "ps", nullptr, "charts and maps as PostScript, A4 pages"}, add_form},
    {{0, "pdf", nullptr, "the same as PDF"}, add_form},
    {{0, "svg", nullptr, "the same as one SVG picture"}, add_form},
    {{0, "png", nullptr, "the same as one PNG picture"}, add_form},
    {{0, "physical", nullptr, "resident pages (default)"}, set_true<&ParsedOptions::is_physical>},
    {{0, "virtual", nullptr, "virtual sizes; charts show both"}, set_true<&Options::is_virtual>},
    {{0, "full", nullptr, "more columns than in the paper"}, set_true<&Options::is_full>},
    {{0, "spreadsheet", nullptr,
      "in CSV, put an apostrophe before a text that begins with = + - @ or a tab. Processes choose "
      "their names, and a spreadsheet evaluates such a name as a formula"},
     set_true<&Options::for_spreadsheet>}};

const std::vector<OptionRow<ParsedOptions>> kInputOptions{
    {{'o', "output", "FILE",
      "write to FILE, which appears whole or not at all. Its ending (.csv .json .ps .pdf .svg .png "
      ".txt .folded .db .sqlite .perfetto-trace) selects the form; without an ending, the form is "
      "the natural one",
      "-, standard output"},
     set_text<&Options::output>},
    {{'j', "jobs", "N",
      "read N of many files in parallel, or a long text with N threads, at most five (two if it is "
      "compact, compressed or a pipe). The answer is always the same",
      "number of CPUs"},
     set_jobs<&Options::jobs>},
    {{0, "counts", "WHAT",
      "use counts of pages: recorded, those of the kernel; joined, the entries of all page tables "
      "in "
      "the snapshot that point to the page's frame. Joined ones need a snapshot of all processes",
      "recorded"},
     set_counts},
    {{0, "max-memory", "SIZE",
      "memory limit; a file that exceeds it is an error, or is skipped if there are several",
      kMaxMemoryOption.fallback, kMaxMemoryOption.example},
     set_memory<&Options::max_memory>},
    {{0, "fleet", nullptr,
      "one table over all snapshots, with host and time. Implied if a SNAPSHOT is a directory"},
     set_true<&Options::is_fleet>},
    {{0, "pid", "LIST", "only these processes", "all", "1,23,456"},
     add_pids<&Options::only, &ProcessFilter::pids>},
    {{0, "node", "LIST",
      "only pages and frames of RAM in these NUMA nodes. Needs a snapshot of the whole of RAM",
      "all", "0,1"},
     add_nodes},
    {{0, "zone", "LIST", "the same for zones", "all", "DMA32,Normal"}, add_zones},
    {{0, "tier", "LIST", "the same for memory tiers, as in /sys/devices/virtual/memory_tiering",
      "all", "4"},
     add_tiers},
    {{0, "by", "WHAT",
      "split tables by node, zone or tier: of --basic, --totals, --count, and of the questions "
      "ledger, cache, slab, kernel and fragmentation"},
     set_by},
    {{0, "maps", "PATH",
      "with --ask cache: which pages of this file are cached, 64 per line. PATH is the whole name "
      "or "
      "its end",
      nullptr, "/usr/lib/libssl.so.3"},
     set_map},
    {{0, "keep-going", nullptr,
      "drop lines that break the format and report their number, instead of stopping"},
     set_true<&Options::keep_going>},
    {{0, "fail-on-alert", nullptr,
      "exit status 1 if the exact rule of the alerts finds something (if it does not apply: the "
      "paper's rule); with --ask faults: if there was thrashing; with leaks: if there is a leak"},
     set_true<&Options::fail_on_alert>},
    {{0, "elf-root", "DIR", "root directory of the snapshot's files, to search them for DT_TEXTREL",
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

const OptionTable<ParsedOptions>& option_table() {
  static const OptionTable<ParsedOptions> kTable(
      kProgram,
      {{"REPORTS OF THE PAPER (any number in one pass)", report_options()},
       {"QUESTIONS (any number in one pass)", question_options()},
       {"FORM (default: the natural form of each report and question)", kFormOptions},
       {"PROCESSES, AND TABLES OF --ask ps, units AND users", use_option_rows()},
       {"EXPORTS", export_option_rows()},
       {"INPUT AND OUTPUT", kInputOptions}},
      boost_words);
  return kTable;
}

Result<Options> finished(ParsedOptions options, std::vector<std::string> inputs) {
  const auto format = chosen_format(options);
  if (!format) return format.error();
  options.format = *format;
  options.inputs = std::move(inputs);
  options.has_input = !options.inputs.empty();
  if (!options.has_input) options.inputs.emplace_back("-");
  if (options.questions.empty() && options.forms.empty() && options.output.ends_with(".folded"))
    options.questions.insert("folded");
  // The table over many snapshots has the rule in a column.
  if (is_for_fleet(options) && options.questions.erase("private-text") != 0)
    options.questions.insert("alerts");
  if (Status status = check_exports(options); !status) return status.error();
  if (!is_for_export(options) && options.questions.empty() && options.track_file.empty())
    options.questions.insert("summary");
  if (Status status = check_use_options(options); !status) return status.error();
  if (Status status = check_options(options); !status) return status.error();
  return static_cast<Options&&>(options);
}

}  // namespace

ParsedOptions::ParsedOptions() {
  jobs = cpus();
}

std::vector<OptionText> option_texts(const std::vector<const char*>& names) {
  const std::vector<OptionText>& all = option_table().texts();
  std::vector<OptionText> texts;
  for (const std::string_view name : names)
    std::copy_if(all.begin(), all.end(), std::back_inserter(texts),
                 [name](const OptionText& option) { return option.name == name; });
  return texts;
}

Result<Options> parse_options(int argc, char* argv[]) {
  return option_table().read(argc, argv, finished);
}

Status expect_input(const Options& options) {
  if (options.has_input || ::isatty(STDIN_FILENO) == 0) return {};
  return wrong_usage(
      "found no SNAPSHOT, and a terminal as standard input; usage: physmem-analyze [REPORT]... "
      "[--ask QUESTION]... [FORM] [OPTION]... SNAPSHOT..., or physmem-collect | physmem-analyze");
}

}  // namespace physmem
