// SPDX-License-Identifier: MIT
#include "analyzer/cli/parse_options.h"

#include <fmt/format.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "analyzer/cli/check_options.h"
#include "analyzer/cli/export_options.h"
#include "analyzer/cli/option_rows.h"
#include "analyzer/cli/use_options.h"
#include "program/option_table.h"
#include "program/option_value.h"
#include "program/printable.h"

namespace physmem {
namespace {

constexpr ProgramText kProgram{
    kProgramName,
    "report where the physical memory of a Linux system goes",
    "  physmem-analyze [REPORT | --ask QUESTION]... [OPTION]... [SNAPSHOT]...\n",
    R"(Reads snapshots of physmem-collect, text or compact, and version 1 files of the
paper. They may be compressed with gzip, zstd, xz or lz4. Without SNAPSHOT, or
if it is -, reads standard input. If SNAPSHOT is a directory, all snapshots
below it give one answer (see MANY SNAPSHOTS). The paper's reports count pages;
questions have sizes, in MiB, or in bytes as CSV and JSON.
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
  memory.high of their cgroup), 2 refaulting, 3 thrashing, 4 severe,
  5 critical.

EXIT STATUS
  0 done   1 alerts, with --fail-on-alert; --ask verify found a difference;
           if-stopped --need finds too little
  2 wrong usage
  3 bad or truncated input
  4 cannot read or write, or --max-memory is too small; nothing fits a word,
    --command, --user or --cgroup
  5 done, but data was missing (see standard error)
)",
    "physmem-collect(1), physmem-convert(1)"};

/// The number of CPUs that this process may use.
std::size_t cpus() {
  cpu_set_t set;
  const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return static_cast<std::size_t>(std::max(n, 1));
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
  const std::string_view ending = ending_of(options.output);
  if (ending.empty()) return std::optional<Format>();
  if (const auto form = form_of_ending(ending)) return form;
  if (question_of_output(options.output) != nullptr) return std::optional(Format::kText);
  const auto& asked = options.questions;
  const bool has_one = asked.size() == 1;
  return wrong_usage(
      options,
      fmt::format("--output: found {}, expected a name that ends in {}, or a form as an "
                  "option, such as --text",
                  in_quotes(options.output, kWholePath),
                  one_of(has_one ? endings_of(question_text(*asked.begin())) : endings())));
}

Result<std::optional<Format>> chosen_format(const ParsedOptions& options) {
  for (const Format form : options.forms)
    if (form != options.forms.front())
      return wrong_usage(options, conflicts_with(fmt::format("--{}", name(options.forms.front())),
                                                 fmt::format("--{}", name(form))));
  if (options.forms.empty()) return format_of_ending(options);
  return std::optional(options.forms.front());
}

const OptionTable<ParsedOptions>& option_table() {
  static const OptionTable<ParsedOptions> kTable(kProgram, option_groups(), boost_words);
  return kTable;
}

}  // namespace

ParsedOptions::ParsedOptions() {
  jobs = cpus();
}

Result<Options> finished(ParsedOptions options, const std::vector<std::string>& inputs) {
  const auto format = chosen_format(options);
  if (!format) return format.error();
  options.format = *format;
  options.is_json_lines = options.is_json_lines || ending_of(options.output) == ".jsonl";
  options.inputs = inputs;
  options.has_input = !options.inputs.empty();
  if (!options.has_input) options.inputs.emplace_back("-");
  const QuestionText* const asked = question_of_output(options.output);
  if (options.questions.empty() && options.forms.empty() && asked != nullptr)
    options.questions.insert(asked->name);
  // The table over many snapshots has the rule in a column.
  if (is_for_fleet(options) && options.questions.erase("private-text") != 0)
    options.questions.insert("alerts");
  if (Status status = check_exports(options); !status) return status.error();
  if (!is_for_export(options) && options.questions.empty() && options.track_file.empty())
    options.questions.insert("summary");
  if (any_asked(options, [](const QuestionText& one) { return one.frames_have_payers; }))
    options.selection.payers = options.only.cgroups;
  if (Status status = check_use_options(options); !status) return status.error();
  if (Status status = check_options(options); !status) return status.error();
  return static_cast<Options&&>(options);
}

Result<Options> parse_options(int argc, char* argv[]) {
  return option_table().read(argc, argv, finished);
}

Status expect_input(const Options& options) {
  if (options.has_input || ::isatty(STDIN_FILENO) == 0) return {};
  return usage_error(
      kProgramName,
      "found no SNAPSHOT, and a terminal as standard input; usage: physmem-analyze [REPORT]... "
      "[--ask QUESTION]... [FORM] [OPTION]... SNAPSHOT..., or physmem-collect | physmem-analyze");
}

}  // namespace physmem
