// SPDX-License-Identifier: MIT
#include "analyzer/cli/options.h"

#include <fmt/format.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <sstream>

#include "analyzer/cli/command_line.h"
#include "analyzer/cli/question.h"
#include "analyzer/cli/snapshot_files.h"
#include "analyzer/parse/line_cursor.h"
#include "program/memory_limit.h"
#include "program/option_value.h"
#include "program/same_file.h"

#ifndef PHYSMEM_VERSION
#define PHYSMEM_VERSION "unknown"
#endif

namespace physmem {
namespace {

namespace po = boost::program_options;

constexpr std::array kFormats{Format::kText, Format::kCsv, Format::kJson, Format::kPs,
                              Format::kPdf,  Format::kSvg, Format::kPng};

struct Description {
  po::options_description analyses{"ANALYSES (any number in one pass; default: --summary)"};
  po::options_description forms{"FORM (default: the natural form of each analysis)"};
  po::options_description input{"INPUT AND OUTPUT"};
  po::options_description hidden;
  po::positional_options_description positions;
  po::options_description all;
};

const char* describe(Format format) {
  switch (format) {
    case Format::kText:
      return "readable text";
    case Format::kCsv:
      return "comma-separated values";
    case Format::kJson:
      return "one JSON document";
    case Format::kPs:
      return "charts and maps as PostScript, A4 pages";
    case Format::kPdf:
      return "the same as PDF";
    case Format::kSvg:
      return "the same as one SVG picture";
    case Format::kPng:
      return "the same as one PNG picture";
  }
  return "";
}

void add_forms(Description& d) {
  for (const Format format : kFormats)
    d.forms.add_options()(std::string(name(format)).c_str(), describe(format));
  d.forms.add_options()("physical", "resident pages (default)");
  d.forms.add_options()("virtual", "virtual sizes; charts show both");
  d.forms.add_options()("full", "more columns than in the paper");
  d.forms.add_options()(
      "spreadsheet",
      "in CSV, put an apostrophe before a text that begins with = + - @ or a tab. Processes "
      "choose their names, and a spreadsheet evaluates such a name as a formula");
}

void add_input(Description& d) {
  d.input.add_options()(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "write to FILE, which appears whole or not at all. Its ending (.csv .json .ps .pdf .svg "
      ".png .txt) selects the form; without an ending, the form is the natural one [default: -, "
      "standard output]")(
      "jobs,j", po::value<std::string>()->value_name("N"),
      "read N of many files in parallel, or a long text with N threads, at most five (two if it "
      "is compact, compressed or a pipe). The answer is always the same [default: number of "
      "processors]")(
      "max-memory", po::value<std::string>()->value_name("SIZE"),
      "limit of memory, such as 512M or 2G. A file that needs more is an error; of many files, "
      "it is left out [default: half of the RAM, or of the control group's limit]")(
      "fleet",
      "one table over all snapshots, with host and time. Implied if a SNAPSHOT is a "
      "directory")("pid", po::value<std::string>()->value_name("LIST"),
                   "only these processes, such as 1,23,456")(
      "keep-going",
      "drop lines that break the format and report their number, instead of stopping")(
      "fail-on-alert",
      "exit status 1 if the exact rule of the alerts finds something (if it does not apply: the "
      "paper's rule); with --faults: if there was thrashing; with --leaks: if there is a leak")(
      "elf-root", po::value<std::string>()->value_name("DIR"),
      "root directory of the snapshot's files, to search them for DT_TEXTREL [default: /, if they "
      "are the same files]")(
      "service-time", po::value<std::string>()->value_name("MS"),
      "service time of a major fault, for --faults: 8 for a disk, 0.2 for an SSD, 0.02 for zram "
      "[default: unknown; less than 1 ms of CPU time per fault is thrashing]")(
      "track", po::value<std::string>()->value_name("FILE.csv"),
      "append the number of user space pages to FILE.csv and show how it changed")(
      "label", po::value<std::string>()->value_name("TEXT"),
      "name of this entry with --track [default: the file's name]")("help,h", "this page")(
      "version", "version and copyright");
}

Description describe_options() {
  Description d;
  for (const QuestionKind& kind : question_table()) d.analyses.add_options()(kind.name, kind.help);
  add_forms(d);
  add_input(d);
  d.hidden.add_options()("input", po::value<std::vector<std::string>>());
  d.positions.add("input", -1);
  d.all.add(d.analyses).add(d.forms).add(d.input).add(d.hidden);
  return d;
}

constexpr const char* kHelpBegin =
    R"(physmem-analyze: where the physical memory of a Linux system goes

USAGE
  physmem-analyze [ANALYSIS]... [FORM] [OPTION]... [SNAPSHOT]...

Reads snapshots of physmem-collect, text or compact, and version 1 files of the paper. They may be
compressed with gzip, zstd, xz or lz4. Without SNAPSHOT, or if it is -, reads standard input.
If SNAPSHOT is a directory, all snapshots below it give one answer (see MANY SNAPSHOTS).
Counts are in pages.

)";

constexpr const char* kHelpEnd = R"(
EXAMPLES
  physmem-collect | physmem-analyze                  what uses this machine's memory?
  physmem-analyze --basic snap.txt                   pages of each process, as CSV
  physmem-analyze --basic --virtual -o all.pdf snap.txt.zst
                                                     the same as a chart, with virtual sizes
  physmem-analyze --vma --pid 1 snap.txt | less      which pages of init are resident and shared
  physmem-analyze --totals --full --json snap.txt    what each library costs
  physmem-analyze --alerts --fail-on-alert snap.txt  is there library code that is not shared?
  physmem-collect --no-areas --every 1s --count 60 | physmem-analyze --faults
                                                     does it thrash, and which process?
  physmem-analyze --totals --alerts -o day.csv snapshots/
                                                     a day of many hosts, by host, time and unit;
                                                     the alerts are in day-alerts.csv
  physmem-analyze --track pages.csv --label v1.2 snap.txt
                                                     compare version with version

MANY SNAPSHOTS (a directory, or --fleet)
  --totals, --basic, --alerts and --count print one table each, with columns Host and Time in front.
  --summary prints a digest: the memory of each executable unit (minimum, mean, maximum and its
  host), and its sum over all hosts. Files are read in the order of their paths. Hidden files,
  name~, name.tmp, name.part and the output are skipped. Files that are not snapshots are reported
  and skipped, and the exit status is 5. The same holds for the files that remain after ^C. A second
  ^C ends the program at once. Tables after the first are kept in $TMPDIR (default: /var/tmp) until
  the end. As CSV, each table has its own file.

TERMS OF --faults
  A refault is a page that is read back soon after it was evicted. The gate is open while pages are
  read back and others are evicted for them. L is the CPU time per major fault. Levels: 0 idle,
  1 reclaim, R recovering (pages are read back, none are evicted), 2 refaulting, 3 thrashing,
  4 severe, 5 critical.

EXIT STATUS
  0 done   1 alerts, with --fail-on-alert   2 wrong usage   3 bad or truncated input
  4 cannot read or write, or --max-memory is too small
  5 done, but data was missing (see standard error)
)";

std::string help_page(const Description& d) {
  std::ostringstream text;
  text << kHelpBegin << d.analyses << '\n' << d.forms << '\n' << d.input << kHelpEnd;
  return text.str();
}

constexpr const char* kVersionText =
    "physmem-analyze " PHYSMEM_VERSION "\nMIT licence. There is no warranty.\n";

constexpr std::uint64_t kMaxJobs = 1024;

Error usage(const std::string& text) {
  return {Error::Kind::kUsage, text + " (physmem-analyze --help lists all options)"};
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
Result<std::optional<Format>> format_of_ending(const std::string& output) {
  const std::string_view ending = ending_of(output);
  if (ending.empty()) return std::optional<Format>();
  if (ending == ".txt") return std::optional(Format::kText);
  for (const Format format : kFormats)
    if (ending.substr(1) == name(format)) return std::optional(format);
  return usage(
      "--output: found " + quoted(output) +
      ", expected a name that ends in .txt, .csv, .json, .ps, .pdf, .svg or .png, or a form "
      "as an option, such as --csv");
}

Result<std::optional<Format>> chosen_format(const po::variables_map& map,
                                            const std::string& output) {
  std::optional<Format> chosen;
  for (const Format format : kFormats) {
    if (map.count(std::string(name(format))) == 0) continue;
    if (chosen)
      return usage(
          fmt::format("--{} and --{}: only one form at a time", name(*chosen), name(format)));
    chosen = format;
  }
  return chosen ? chosen : format_of_ending(output);
}

/// The number of processors that this process may use.
std::size_t processors() {
  cpu_set_t set;
  const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return static_cast<std::size_t>(std::max(n, 1));
}

Result<std::size_t> number_of_jobs(const po::variables_map& map) {
  if (map.count("jobs") == 0) return processors();
  const std::string text = map["jobs"].as<std::string>();
  std::uint64_t jobs = 0;
  if (!parse_dec(text, jobs) || jobs == 0 || jobs > kMaxJobs)
    return usage(
        fmt::format("--jobs: found {}, expected a number from 1 to {}", quoted(text), kMaxJobs));
  return static_cast<std::size_t>(jobs);
}

Result<std::optional<std::uint64_t>> max_memory(const po::variables_map& map) {
  if (map.count("max-memory") == 0) return std::optional<std::uint64_t>();
  const std::string text = map["max-memory"].as<std::string>();
  const auto bytes = memory_size_of(text);
  if (!bytes) return usage("--max-memory: found " + quoted(text) + ", expected " + kMemorySizes);
  return bytes;
}

std::string value_or(const po::variables_map& map, const char* option, const char* fallback) {
  return map.count(option) != 0 ? map[option].as<std::string>() : fallback;
}

Status check_outputs(const Options& options) {
  for (const std::string& output : {options.output, options.track_file}) {
    const auto is_read = [&](const std::string& input) { return is_same_file(input, output); };
    if (!output.empty() && std::any_of(options.inputs.begin(), options.inputs.end(), is_read))
      return usage("found " + quoted(output) + " as input and as output, expected different files");
  }
  if (!options.track_file.empty() && is_same_output(options.track_file, options.output))
    return usage("found " + quoted(options.track_file) +
                 " as --track and as --output, expected different files");
  return {};
}

bool writes_csv(const Options& options) {
  if (options.format) return *options.format == Format::kCsv;
  const auto kinds = question_table();
  return std::any_of(kinds.begin(), kinds.end(), [&](const QuestionKind& kind) {
    return kind.natural == Format::kCsv && options.questions.count(kind.name) != 0;
  });
}

/// An option that would change nothing is a mistake.
Status check_effects(const po::variables_map& map, const Options& options) {
  const auto is_asked = [&](const char* question) {
    return options.questions.count(question) != 0;
  };
  if (map.count("label") != 0 && options.track_file.empty())
    return usage("--label: only with --track");
  if (map.count("service-time") != 0 && !is_asked("faults"))
    return usage("--service-time: only with --faults");
  if (map.count("elf-root") != 0 && !is_asked("alerts"))
    return usage("--elf-root: only with --alerts");
  if (options.for_spreadsheet && !writes_csv(options))
    return usage("--spreadsheet: only with CSV, such as --csv");
  return {};
}

Result<Options> read(const po::variables_map& map) {
  Options options;
  for (const QuestionKind& kind : question_table())
    if (map.count(kind.name) != 0) options.questions.insert(kind.name);
  options.output = value_or(map, "output", "-");
  const auto format = chosen_format(map, options.output);
  if (!format) return format.error();
  options.format = *format;
  if (map.count("physical") != 0 && map.count("virtual") != 0)
    return usage("--physical and --virtual: only one of them at a time");
  options.is_virtual = map.count("virtual") != 0;
  options.is_full = map.count("full") != 0;
  options.keep_going = map.count("keep-going") != 0;
  options.for_spreadsheet = map.count("spreadsheet") != 0;
  const auto jobs = number_of_jobs(map);
  if (!jobs) return jobs.error();
  options.jobs = *jobs;
  const auto memory = max_memory(map);
  if (!memory) return memory.error();
  options.max_memory = *memory;
  options.is_fleet = map.count("fleet") != 0;
  options.fail_on_alert = map.count("fail-on-alert") != 0;
  options.elf_root = value_or(map, "elf-root", "/");
  if (!is_directory(options.elf_root))
    return usage(wrong_value("--elf-root", options.elf_root, "a directory that exists"));
  if (map.count("service-time") != 0) {
    const std::string text = map["service-time"].as<std::string>();
    options.service_time_ms = parse_positive(text, kMaxServiceTimeMs);
    if (!options.service_time_ms)
      return usage(wrong_value("--service-time", text, kServiceTimeForm));
  }
  options.track_file = value_or(map, "track", "");
  options.track_label = value_or(map, "label", "");
  if (map.count("pid") != 0) {
    const std::string list = map["pid"].as<std::string>();
    const auto pids = parse_pids(list);
    if (!pids) return usage(wrong_value("--pid", list, kPidsForm));
    options.pids.insert(pids->begin(), pids->end());
  }
  if (map.count("input") != 0) options.inputs = map["input"].as<std::vector<std::string>>();
  options.has_input = !options.inputs.empty();
  if (!options.has_input) options.inputs.emplace_back("-");
  if (Status status = check_outputs(options); !status) return status.error();
  if (options.questions.empty() && options.track_file.empty()) options.questions.insert("summary");
  if (Status status = check_effects(map, options); !status) return status.error();
  return options;
}

}  // namespace

std::string_view name(Format format) {
  constexpr std::array<std::string_view, 7> kNames{"text", "csv", "json", "ps",
                                                   "pdf",  "svg", "png"};
  return kNames[static_cast<std::size_t>(format)];
}

Result<Options> parse_options(int argc, const char* const argv[]) {
  const Description d = describe_options();
  const auto map = parse_command_line(argc, argv, d.all, d.positions);
  if (!map) return usage(map.error().text);
  Options options;
  if (map->count("help") != 0) options.text_instead = help_page(d);
  if (map->count("version") != 0) options.text_instead = kVersionText;
  if (!options.text_instead.empty()) return options;
  return read(*map);
}

Status expect_input(const Options& options) {
  if (options.has_input || ::isatty(STDIN_FILENO) == 0) return {};
  return usage(
      "found no SNAPSHOT, and a terminal as standard input; usage: physmem-analyze [ANALYSIS]... "
      "[FORM] "
      "[OPTION]... SNAPSHOT..., or physmem-collect | physmem-analyze");
}

}  // namespace physmem
