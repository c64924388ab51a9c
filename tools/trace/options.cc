// SPDX-License-Identifier: MIT
#include "tools/trace/options.h"

#include <string_view>
#include <utility>

#include "paging/write/form_writer.h"
#include "program/memory_option.h"
#include "program/missing_option.h"
#include "program/option_table.h"
#include "program/option_value.h"
#include "program/same_file.h"

namespace physmem::record {
namespace {

constexpr ProgramText kProgram{
    kProgramName,
    "record, replay and convert traces of swap-ins and swap-outs",
    R"(  physmem-trace [OPTION]... [-o FILE]       record until Ctrl-C or --duration
  physmem-trace --replay FILE [OPTION]...   read a recorded trace
)",
    "",
    R"(EXAMPLES
  physmem-trace -o storm.trace                              until Ctrl-C
  physmem-trace --duration 10 --format summary               processes that swap
  physmem-trace --replay storm.trace --format perfetto -o storm.perfetto-trace
  physmem-trace --replay storm.trace --pid 371 --speed 0.1  one process, slowly
  dmesg | physmem-trace --replay - --format csv             the paper's log

EXIT STATUS
  0 done   2 wrong usage   3 bad input
  4 cannot read or write, or --max-memory is too small
  5 done, but events are missing (see standard error)
)",
    "pftrace-log(1), pftraced(8), physmem-view(1)"};

Error usage(const std::string& text) {
  return usage_error(kProgram.name, text);
}

/// What the options ask for, before it is known whether they fit together.
struct ParsedOptions : Options {
  std::optional<Form> chosen_form;
  bool has_source = false;
  std::optional<double> chosen_speed;
};

std::string set_source(ParsedOptions& options, const char* value) {
  options.has_source = true;
  options.source = value;
  return {};
}

std::string set_seconds(ParsedOptions& options, const char* value) {
  const std::optional<double> seconds = parse_positive(value, kMaxSeconds);
  if (!seconds) return kSecondsForm;
  options.duration =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(*seconds));
  return {};
}

std::string set_output(ParsedOptions& options, const char* value) {
  if (*value == '\0') return "FILE, or - for standard output";
  options.output = value;
  return {};
}

std::string set_form(ParsedOptions& options, const char* value) {
  options.chosen_form = form_of(value);
  return options.chosen_form ? "" : form_names();
}

const std::vector<OptionRow<ParsedOptions>> kSourceOptions{
    {{0, "source", "NAME", "kmod (the module physmem_paging), bpf, or auto: the first available",
      "auto"},
     set_source},
    {{0, "replay", "FILE",
      "a trace: text, binary, or the paper's lines in any log (dmesg, syslog); - for standard "
      "input; gzip, zstd, xz and lz4 are recognised"},
     set_text<&Options::replay>},
    {{0, "speed", "X", "replay at X times the original speed", "max, as fast as possible", "0.1"},
     set_speed<SpeedLimit::kAnySpeed, &ParsedOptions::chosen_speed>},
    {{0, "keep-going", nullptr, "drop and count malformed lines, and accept a truncated trace"},
     set_true<&Options::keep_going>},
    {kMaxMemoryOption, set_memory<&Options::max_memory>}};

const std::vector<OptionRow<ParsedOptions>> kRecordingOptions{
    {{0, "duration", "SECONDS", "end after SECONDS", "until Ctrl-C", "1.5", "seconds"},
     set_seconds},
    {{0, "pid", "PID,...", "only these processes or threads", "all except physmem-trace itself",
      "1,4711"},
     add_pids<&Options::pids>},
    {{0, "owners", "FILE",
      "a snapshot (physmem-collect, dd of /dev/task_mem/0; text or compact). If the kernel does "
      "not report the owner of a swap-out, it is inferred from the last owner of the frame in the "
      "snapshot or the trace (flag kept)"},
     set_text<&Options::owners>},
    {{0, "no-owners", nullptr, "do not infer owners: only those that the kernel reported"},
     set_false<&Options::keep_owners>}};

const std::vector<OptionRow<ParsedOptions>> kOutputOptions{
    {{'o', "output", "FILE",
      "A recording grows in FILE; an interrupted one is readable. The output of a replay appears "
      "only when it is complete. FILE.zst is compressed. A name in .csv, .json, .perfetto-trace or "
      ".prom requires --format",
      "-, standard output"},
     set_output},
    {{0, "format", "FORM",
      "traces: text, binary (10 times smaller), pftrace (the lines of the paper's "
      "kernel)\nexports: csv, json (one line per event), perfetto (ui.perfetto.dev), openmetrics, "
      "prometheus (a .prom file for node_exporter), summary",
      "binary for a recording in a FILE, otherwise text"},
     set_form},
    {{0, "all", nullptr,
      "with pftrace: all events, not only those that the paper's kernel would log. Do not read "
      "this output as a trace: its lines have no flags, so swap-cache hits would count as reads"},
     set_true<&Options::all_lines>},
    {{0, "spreadsheet", nullptr,
      "with csv: an apostrophe before names that begin with = + - @ or a tab, so that a "
      "spreadsheet does not read them as formulas"},
     set_true<&Options::for_spreadsheet>},
    {{'q', "quiet", nullptr, "no progress and no totals on standard error"},
     set_true<&Options::is_quiet>},
    {kAllowMissingOption, allow_missing<ParsedOptions>}};

const OptionTable<ParsedOptions> kTable(kProgram, {{"SOURCE", kSourceOptions},
                                                   {"RECORDING", kRecordingOptions},
                                                   {"OUTPUT", kOutputOptions}});

/// Checks for conflicting options.
Status check(const ParsedOptions& options) {
  if (options.replay && options.has_source) return usage(conflicts_with("--source", "--replay"));
  if (!options.replay && options.chosen_speed) return usage(requires_option("--speed", "--replay"));
  if (!options.replay && options.keep_going)
    return usage(requires_option("--keep-going", "--replay"));
  if (options.all_lines && options.form != Form::kPftrace)
    return usage(requires_option("--all", "--format pftrace"));
  if (options.for_spreadsheet && options.form != Form::kCsv)
    return usage(requires_option("--spreadsheet", "--format csv"));
  if (!options.owners.empty() && !options.keep_owners)
    return usage(conflicts_with("--owners", "--no-owners"));
  return {};
}

/// Checks that the output is no input.
Status check_inputs(const ParsedOptions& options) {
  const auto replaces = [&options](const char* option) {
    return usage("--output: found \"" + options.output + "\", which is the file of " + option +
                 ", expected another file");
  };
  if (options.output == "-") return {};
  if (options.replay && is_same_file(*options.replay, options.output)) return replaces("--replay");
  if (!options.owners.empty() && is_same_file(options.owners, options.output))
    return replaces("--owners");
  return {};
}

/// A name such as swap.csv suggests a form, but only --format selects it.
Status check_ending(const ParsedOptions& options) {
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {".csv", "csv"}, {".json", "json"}, {".perfetto-trace", "perfetto"}, {".prom", "prometheus"}};
  std::string_view name = options.output;
  if (options.chosen_form) return {};
  if (name.ends_with(".zst")) name.remove_suffix(4);
  for (const auto& [ending, form] : kEndings)
    if (name.ends_with(ending))
      return usage("--output: found \"" + options.output +
                   "\" without --format, expected --format " + std::string(form) +
                   ", or a name with another ending");
  if (!foreign_ending(name).empty())
    return usage(wrong_value("--output", name, "a name such as swap.trace or swap.trace.zst"));
  return {};
}

Result<Options> finished(ParsedOptions options, const std::vector<std::string>& operands) {
  if (Status status =
          refuse_operands(kProgram, operands, "an option (--replay FILE reads a trace)");
      !status)
    return status.error();
  const bool is_recording_in_file = options.output != "-" && !options.replay;
  options.form = options.chosen_form.value_or(is_recording_in_file ? Form::kBinary : Form::kText);
  options.speed = options.chosen_speed.value_or(options.speed);
  for (const auto& checked : {check_inputs, check, check_ending})
    if (Status status = checked(options); !status) return status.error();
  return static_cast<Options&&>(options);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::record
