// SPDX-License-Identifier: MIT
#include "tracer/record/options.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "program/command_line.h"
#include "program/memory_limit.h"
#include "program/option_value.h"
#include "program/same_file.h"
#include "tracer/source/open_source.h"

namespace physmem::record {
namespace {

constexpr const char* kHelp =
    R"(physmem-trace: record, replay and convert traces of swap-ins and swap-outs

USAGE
  physmem-trace [OPTION]... [-o FILE]             record until Ctrl-C, SIGTERM or --seconds
  physmem-trace --replay FILE [OPTION]...         read a recorded trace

SOURCE
      --source NAME    kmod (the module physmem_paging), bpf, or auto: the first available [default: auto]
      --replay FILE    a trace: text, binary, or the paper's lines in any log (dmesg, syslog); - for standard input;
                       gzip, zstd, xz and lz4 are recognised
      --speed X        replay at X times the original speed [default: max, as fast as possible]
      --keep-going     drop and count malformed lines, and accept a truncated trace
      --max-memory SIZE  memory limit, such as 512M or 2G [default: half of the RAM, or of the control group's limit]
RECORDING
      --seconds N      stop after N seconds (such as 1.5)
      --pid PID,...    record only these processes or threads [default: all except physmem-trace itself]
      --owners FILE    a snapshot (physmem-collect, dd of /dev/task_mem/0; text or compact). If the kernel does not
                       report the owner of a swap-out, it is inferred from the last owner of the frame in the
                       snapshot or the trace ("kept")
      --no-owners      do not infer owners: record only those that the kernel reported
OUTPUT
  -o, --output FILE    [default: -, standard output]. A recording grows in FILE; an interrupted recording is readable.
                       The output of a replay appears only when it is complete. FILE.zst is compressed.
                       A name in .csv, .json, .perfetto-trace or .prom requires --format
      --format FORM    traces:  text, binary (10 times smaller), pftrace (the lines of the paper's kernel)
                       exports: csv, json (one line per event), perfetto (ui.perfetto.dev), openmetrics, summary
                       [default: binary for a recording in a FILE, otherwise text]
      --all            with pftrace: all events, not only those that the paper's kernel would log. Do not read this
                       output as a trace: its lines have no flags, so swap-cache hits would count as reads
      --spreadsheet    with csv: an apostrophe before names that begin with = + - @ or a tab, so that a spreadsheet
                       does not read them as formulas
  -q, --quiet          no progress and no totals on standard error
  -h, --help           show this help
      --version        show the version

EXAMPLES
  physmem-trace -o storm.trace                              until Ctrl-C
  physmem-trace --seconds 10 --format summary               which processes swap?
  physmem-trace --replay storm.trace --format perfetto -o storm.perfetto-trace
  physmem-trace --replay storm.trace --pid 371 --speed 0.1  one process, ten times slower
  dmesg | physmem-trace --replay - --format csv             a log of the paper's kernel

EXIT STATUS
  0 done   2 wrong usage   3 bad input   4 cannot read or write, or --max-memory is too small
  5 done, but events are missing (see standard error)
)";

enum LongOption {
  kSource = 256,
  kReplay,
  kSpeed,
  kKeepGoing,
  kSeconds,
  kPid,
  kOwners,
  kNoOwners,
  kFormat,
  kAll,
  kSpreadsheet,
  kMaxMemory
};

constexpr option kOptions[] = {
    {"source", required_argument, nullptr, kSource},
    {"replay", required_argument, nullptr, kReplay},
    {"speed", required_argument, nullptr, kSpeed},
    {"keep-going", no_argument, nullptr, kKeepGoing},
    {"seconds", required_argument, nullptr, kSeconds},
    {"pid", required_argument, nullptr, kPid},
    {"owners", required_argument, nullptr, kOwners},
    {"no-owners", no_argument, nullptr, kNoOwners},
    {"output", required_argument, nullptr, 'o'},
    {"format", required_argument, nullptr, kFormat},
    {"all", no_argument, nullptr, kAll},
    {"spreadsheet", no_argument, nullptr, kSpreadsheet},
    {"max-memory", required_argument, nullptr, kMaxMemory},
    {"quiet", no_argument, nullptr, 'q'},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, CommandLine::kVersion},
    {nullptr, 0, nullptr, 0},
};

constexpr CommandLine::Program kProgram{"physmem-trace", kHelp, "o:qh", kOptions};

Error usage(const std::string& text) {
  return CommandLine(kProgram).usage(text);
}

/// The parsed options, before the check for conflicts.
struct ParsedOptions {
  Options options;
  std::optional<Form> form;
  bool has_source = false;
  bool has_speed = false;
};

Status set_pids(std::string_view text, Options& options) {
  const auto pids = parse_pids(text);
  if (!pids) return usage(wrong_value("--pid", text, kPidsForm));
  options.pids.insert(options.pids.end(), pids->begin(), pids->end());
  return {};
}

Status set_speed(std::string_view text, ParsedOptions& wishes) {
  wishes.has_speed = true;
  const std::optional<double> speed = speed_of(text);
  if (!speed)
    return usage("--speed: found \"" + std::string(text) + "\", expected " + kSpeedWanted);
  wishes.options.speed = *speed;
  return {};
}

Status set_seconds(std::string_view text, Options& options) {
  const std::optional<double> seconds = parse_positive(text, kMaxSeconds);
  if (!seconds) return usage(wrong_value("--seconds", text, kSecondsForm));
  options.duration =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(*seconds));
  return {};
}

Status set_form(std::string_view text, ParsedOptions& wishes) {
  wishes.form = form_of(text);
  if (!wishes.form)
    return usage("--format: found \"" + std::string(text) + "\", expected " + form_names());
  return {};
}

Status apply_value(int option, const char* value, ParsedOptions& wishes) {
  Options& options = wishes.options;
  switch (option) {
    case kSource:
      wishes.has_source = true;
      options.source = value;
      return {};
    case kReplay:
      options.replay = value;
      return {};
    case kSpeed:
      return set_speed(value, wishes);
    case kSeconds:
      return set_seconds(value, options);
    case kPid:
      return set_pids(value, options);
    case kOwners:
      options.owners = value;
      return {};
    case kMaxMemory:
      options.max_memory = memory_size_of(value);
      if (options.max_memory) return {};
      return usage("--max-memory: found \"" + std::string(value) + "\", expected " + kMemorySizes);
    case kFormat:
      return set_form(value, wishes);
    default:
      if (*value == '\0')
        return usage("--output: found no name, expected FILE, or - for standard output");
      options.output = value;
      return {};
  }
}

Status apply(int option, const char* value, ParsedOptions& wishes) {
  Options& options = wishes.options;
  switch (option) {
    case kKeepGoing:
      options.keep_going = true;
      return {};
    case kNoOwners:
      options.keep_owners = false;
      return {};
    case kAll:
      options.all_lines = true;
      return {};
    case kSpreadsheet:
      options.for_spreadsheet = true;
      return {};
    case 'q':
      options.is_quiet = true;
      return {};
    default:
      return apply_value(option, value, wishes);
  }
}

/// Checks for conflicting options.
Status check(const ParsedOptions& wishes) {
  const Options& options = wishes.options;
  if (options.replay && wishes.has_source) return usage("--source: not allowed with --replay");
  if (!options.replay && wishes.has_speed) return usage("--speed: only with --replay");
  if (!options.replay && options.keep_going) return usage("--keep-going: only with --replay");
  if (options.all_lines && options.form != Form::kPftrace)
    return usage("--all: only with --format pftrace");
  if (options.for_spreadsheet && options.form != Form::kCsv)
    return usage("--spreadsheet: only with --format csv");
  if (!options.owners.empty() && !options.keep_owners)
    return usage("--owners: not allowed with --no-owners");
  return {};
}

/// A name such as swap.csv suggests a form, but only --format selects it.
Status check_ending(const ParsedOptions& wishes) {
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {".csv", "csv"},
      {".json", "json"},
      {".perfetto-trace", "perfetto"},
      {".prom", "openmetrics"}};
  std::string_view name = wishes.options.output;
  if (name.ends_with(".zst")) name.remove_suffix(4);
  for (const auto& [ending, form] : kEndings)
    if (!wishes.form && name.ends_with(ending))
      return usage("--output: found \"" + wishes.options.output +
                   "\" without --format, expected --format " + std::string(form) +
                   ", or a name with another ending");
  if (!wishes.form && !foreign_ending(name).empty())
    return usage(wrong_value("--output", name, "a name such as swap.trace or swap.trace.zst"));
  return {};
}

Result<Options> finished(ParsedOptions wishes) {
  Options& options = wishes.options;
  const bool is_file = options.output != "-";
  if (options.replay && is_file && is_same_file(*options.replay, options.output))
    return usage("--output: found \"" + options.output +
                 "\", which is the file of --replay, expected another file");
  if (!options.owners.empty() && is_same_file(options.owners, options.output))
    return usage("--output: found \"" + options.output +
                 "\", which is the file of --owners, expected another file");
  options.form = wishes.form.value_or(is_file && !options.replay ? Form::kBinary : Form::kText);
  if (Status status = check(wishes); !status) return status.error();
  if (Status status = check_ending(wishes); !status) return status.error();
  return std::move(options);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  ParsedOptions wishes;
  Result<std::string> text = CommandLine(kProgram).parse_options(
      argc, argv, [&wishes](int option, const char* value) { return apply(option, value, wishes); },
      "an option (--replay FILE reads a trace)");
  if (!text) return text.error();
  wishes.options.text_instead = *text;
  if (!text->empty()) return std::move(wishes.options);
  return finished(std::move(wishes));
}

}  // namespace physmem::record
