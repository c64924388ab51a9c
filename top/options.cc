// SPDX-License-Identifier: MIT
#include "top/options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "analyzer/analyze/filter_options.h"
#include "program/missing_option.h"
#include "program/option_table.h"
#include "program/option_value.h"

namespace physmem::top {
namespace {

constexpr std::uint64_t kMinIntervalMs = 100;

constexpr ProgramText kProgram{
    kProgramName,
    "show the memory of processes live, or of a recording",
    "  physmem-top [OPTION]...         this machine\n"
    "  physmem-top [OPTION]... FILE    a recording, or any series of snapshots\n",
    R"(Shows processes with USS (pages of their own), PSS (shared pages divided by
their users), RSS, swap, page faults and CPU time, above them the classes of
RAM and whether the machine thrashes. Keys: h shows all of them; Enter shows
the pages of a process; t and T step through the last hour; q quits.

RSS, faults and CPU time are read for each sample. For USS and PSS the pages of
some processes are read for each sample, within 2.5 % of the time of one core:
first new processes and those that changed. The bottom line says how old these
numbers are and what physmem-top itself costs. USS and PSS require root.
)",
    R"(EXAMPLES
  sudo physmem-top                             all processes, by PSS
  sudo physmem-top --user www-data --tree      a user's processes, by cgroup
  sudo physmem-top --record top.txt.zst        keep what is shown
  physmem-top top.txt.zst                      look at it again
  sudo physmem-top --batch --count 1           one table as text
  physmem-analyze --ask faults top.txt.zst     what was thrashing, and when

EXIT STATUS
  0 done (also after Ctrl-C)   2 wrong usage   3 malformed input
  4 input/output error         5 data is missing from the recording
)",
    "physmem-analyze(1), physmem-collect(1)"};

struct SortName {
  std::string_view name;
  SortKey key;
};
constexpr std::array kSortNames{
    SortName{"pid", SortKey::kPid},      SortName{"user", SortKey::kUser},
    SortName{"uss", SortKey::kUss},      SortName{"pss", SortKey::kPss},
    SortName{"rss", SortKey::kRss},      SortName{"swap", SortKey::kSwap},
    SortName{"minor", SortKey::kMinors}, SortName{"major", SortKey::kMajors},
    SortName{"cpu", SortKey::kCpu},      SortName{"command", SortKey::kCommand},
};

std::string set_sort(Options& options, const char* value) {
  std::string name = value;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const SortName& known : kSortNames) {
    if (known.name != name) continue;
    options.order.key = known.key;
    return {};
  }
  return "pid, user, uss, pss, rss, swap, minor, major, cpu or command";
}

std::string set_reverse(Options& options, const char* /*value*/) {
  options.order.is_reversed = true;
  return {};
}

std::string set_filter(Options& options, const char* value) {
  const std::string_view text = value;
  const bool is_expression = text.size() > 2 && text.front() == '/' && text.back() == '/';
  if (is_expression && !NamePattern::parse(value))
    return "a part of a name, a shell pattern such as py*, or a regular expression between slashes";
  options.selection.filter = TextFilter(value);
  return {};
}

std::string set_count(Options& options, const char* value) {
  const auto count = number_of<std::uint64_t>(value);
  if (!count || *count == 0) return "a number of samples, 1 or more";
  options.count = *count;
  return {};
}

std::string set_at(Options& options, const char* value) {
  options.at = parse_moment(value);
  return options.at ? "" : kMomentForm;
}

std::string set_record(Options& options, const char* value) {
  options.record = value;
  if (*value == '\0' || options.record == "-") return kSnapshotNames;
  const std::string_view name = options.record;
  if (!foreign_ending(name).empty()) return kSnapshotNames;
  if (name.ends_with(".pmc") || name.ends_with(".pmc.zst")) options.form = SnapshotForm::kCompact;
  return {};
}

const std::vector<OptionRow<Options>> kSamples{
    {{'d', "interval", "TIME",
      "interval between samples (500ms, 5s, 1m or a number of seconds; at least 100ms)", "1s"},
     set_interval<kMinIntervalMs, &Options::interval_ns>},
    {{'n', "count", "N", "end after N samples", "no end"}, set_count},
    {{0, "record", "FILE",
      "keep the samples in FILE as a series of snapshots with tasks and counters, which "
      "physmem-top and physmem-analyze --ask faults read. FILE appears at the end, and has all "
      "samples that were complete by then. A name ending in .zst is compressed"},
     set_record},
    {{0, "at", "TIME",
      "with FILE: begin with the last sample up to this time, in local time. Without a date, the "
      "last such time; key g goes to another",
      "the first sample", "'2026-11-29 03:00'"},
     set_at},
    {{'b', "batch", nullptr,
      "print each sample as text, for pipes; the first one waits until the pages of all processes "
      "have been read"},
     set_true<&Options::is_batch>},
    {kAllowMissingOption, allow_missing<Options>},
    {{0, "root", "DIR", "read this /proc tree", "/proc"}, set_text<&Options::root>}};

const std::vector<OptionRow<Options>> kRows{
    {{'s', "sort", "COLUMN",
      "order by pid, user, uss, pss, rss, swap, minor, major, cpu or command", "pss"},
     set_sort},
    {{'r', "reverse", nullptr, "reverse the order"}, set_reverse},
    {{0, "tree", nullptr, "show the tree of cgroups"}, set_true<&Options::is_tree>},
    {{'p', "pid", "LIST", "only these processes, ids separated by commas", "all", "1,4711"},
     add_pids<&Options::selection, &Selection::only, &ProcessFilter::pids>},
    {{0, "command", "PATTERN",
      "only processes with this command: a shell pattern with * ? [a-z], or a regular expression "
      "between slashes, /^py/",
      "all", "'python*'", "name"},
     add_pattern<&Options::selection, &Selection::only, &ProcessFilter::names>},
    {{'u', "user", "LIST", "only processes of these users", "all", "root,1000"},
     add_users<&Options::selection, &Selection::only, &ProcessFilter::users>},
    {{0, "cgroup", "PATTERN", "only processes in this cgroup, or below it", "all", "/system.slice"},
     add_pattern<&Options::selection, &Selection::only, &ProcessFilter::cgroups>},
    {{0, "filter", "TEXT",
      "only processes with TEXT in their command, user or cgroup, or one of them matches a pattern "
      "as of --command; key f changes it",
      "all"},
     set_filter}};

const OptionTable<Options> kTable(kProgram, {{"SAMPLES", kSamples}, {"TABLE", kRows}});

Result<Options> finished(Options options, const std::vector<std::string>& operands) {
  if (operands.size() > 1)
    return usage_error(kProgramName,
                       "found " + std::to_string(operands.size()) + " files, expected at most one");
  if (operands.empty() && options.at)
    return usage_error(kProgramName, requires_option("--at", "FILE"));
  if (operands.empty()) return options;
  options.replay = operands.front();
  if (!options.record.empty()) return usage_error(kProgramName, conflicts_with("--record", "FILE"));
  return options;
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::top
