// SPDX-License-Identifier: MIT
#include "monitor/options.h"

#include <getopt.h>
#include <sys/stat.h>

#include <string_view>
#include <utility>

#include "monitor/pictures.h"
#include "monitor/profile_source.h"
#include "program/command_line.h"
#include "program/memory_limit.h"
#include "program/same_file.h"

namespace physmem::profile {
namespace {

constexpr const char* kHelp =
    R"(physmem-monitor: print and plot the samples of the profiler module (physmem_faults, alias mp3), 20 per second

USAGE
  physmem-monitor [OPTION]... [DATA]
  physmem-monitor --plot FILE [OPTION]... [[LABEL=]DATA]...

DATA is the profiler's device, a file with its contents, a text written by this program or the assignment's monitor,
or - for standard input [default: ./node if present, otherwise /dev/mp3]. LABEL is its name in a picture [default:
the file's name without folder and ending].

FORM
      --text           jiffies, minor faults, major faults and CPU time of each sample, sorted by time (default)
      --csv            the same with times in seconds, CPU in percent, and a header
      --live           one line per second, until Ctrl-C: faults per second, CPU in percent of one CPU, and a bar
      --plot FILE      plot accumulated faults over time to FILE (.png .svg .pdf .ps); several DATA in one picture
      --by-file        CPU utilisation and completion time over N, where LABEL is N; with --csv as numbers
OPTIONS
  -o, --output FILE    write to FILE, which appears only when complete [default: -, standard output]
      --consume        clear the samples after the output was written, as the assignment's monitor does [default:
                       keep them]
      --hz N           CONFIG_HZ of the profiled kernel [default: inferred from the distance of the samples]
      --cpu-unit UNIT  jiffies or ns, as in the module's parameter cpu= [default: jiffies]
      --title TEXT     title of the picture
      --max-memory SIZE  memory limit, such as 512M or 2G [default: half of the RAM, or of the control group's limit]
  -h, --help           show this help
      --version        show the version

EXAMPLES
  physmem-monitor > profile1.data                                   like ./monitor, but keeps the samples
  physmem-monitor --live                                            watch a run
  physmem-monitor --plot case_1.svg R,R=profile1.data R,L=profile2.data   compare two runs
  physmem-monitor --by-file --plot case_2.png 5=n5.data 11=n11.data 16=n16.data

EXIT STATUS
  0 done   2 wrong usage   3 bad input   4 cannot read or write, or --max-memory is too small
  5 done, but data was missing (see standard error)
)";

enum LongOption {
  kText = 256,
  kCsv,
  kLive,
  kPlot,
  kByFile,
  kConsume,
  kHz,
  kCpuUnit,
  kTitle,
  kMaxMemory,
  kVersion
};

constexpr option kOptions[] = {
    {"text", no_argument, nullptr, kText},
    {"csv", no_argument, nullptr, kCsv},
    {"live", no_argument, nullptr, kLive},
    {"plot", required_argument, nullptr, kPlot},
    {"by-file", no_argument, nullptr, kByFile},
    {"output", required_argument, nullptr, 'o'},
    {"consume", no_argument, nullptr, kConsume},
    {"hz", required_argument, nullptr, kHz},
    {"cpu-unit", required_argument, nullptr, kCpuUnit},
    {"max-memory", required_argument, nullptr, kMaxMemory},
    {"title", required_argument, nullptr, kTitle},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, CommandLine::kVersion},
    {nullptr, 0, nullptr, 0},
};

constexpr CommandLine::Program kProgram{"physmem-monitor", kHelp, "o:h", kOptions};

Error usage(const std::string& text) {
  return CommandLine(kProgram).usage(text);
}

Result<unsigned> hz_of(std::string_view text) {
  constexpr unsigned kMax = 10'000;  // ticks per second; kernels have 24 to 1200
  const auto hz = number_of<unsigned>(text);
  if (!hz || *hz == 0 || *hz > kMax)
    return usage("--hz: found \"" + std::string(text) +
                 "\", expected ticks per second, such as 250");
  return *hz;
}

/// A file name may contain '='. If the whole text is an existing file, it is not a LABEL=FILE.
Input input_of(const std::string& word) {
  struct stat status = {};
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos && equals > 0 && ::stat(word.c_str(), &status) != 0)
    return {word.substr(0, equals), word.substr(equals + 1)};
  const std::string base = word.substr(word.rfind('/') + 1);
  const std::size_t dot = base.rfind('.');
  return {dot == std::string::npos || dot == 0 ? base : base.substr(0, dot), word};
}

/// The parsed options, before the check for conflicts.
struct ParsedOptions {
  Options options;
  std::optional<Form> form;
  bool has_output = false;
};

Status set_form(ParsedOptions& wishes, Form form) {
  if (wishes.form && *wishes.form != form)
    return usage("--text, --csv, --live and --plot: only one form at a time");
  wishes.form = form;
  return {};
}

Status apply_value(int option, const char* value, ParsedOptions& wishes) {
  Options& options = wishes.options;
  switch (option) {
    case kPlot:
      options.output = value;
      return set_form(wishes, Form::kPlot);
    case 'o':
      wishes.has_output = true;
      options.output = value;
      return {};
    case kTitle:
      options.title = value;
      return {};
    case kMaxMemory:
      options.max_memory = memory_size_of(value);
      if (options.max_memory) return {};
      return usage("--max-memory: found \"" + std::string(value) + "\", expected " + kMemorySizes);
    case kHz: {
      const Result<unsigned> hz = hz_of(value);
      if (!hz) return hz.error();
      options.hz = *hz;
      return {};
    }
    default:
      if (value != std::string_view("jiffies") && value != std::string_view("ns"))
        return usage("--cpu-unit: found \"" + std::string(value) + "\", expected jiffies or ns");
      options.cpu_unit =
          value == std::string_view("ns") ? CpuUnit::kNanoseconds : CpuUnit::kJiffies;
      return {};
  }
}

Status apply(int option, const char* value, ParsedOptions& wishes) {
  Options& options = wishes.options;
  switch (option) {
    case kText:
      return set_form(wishes, Form::kText);
    case kCsv:
      return set_form(wishes, Form::kCsv);
    case kLive:
      return set_form(wishes, Form::kLive);
    case kByFile:
      options.by_file = true;
      return {};
    case kConsume:
      options.consumes = true;
      return {};
    default:
      return apply_value(option, value, wishes);
  }
}

/// Checks for conflicting options.
Status check(const ParsedOptions& wishes) {
  const Options& options = wishes.options;
  const bool is_plot = options.form == Form::kPlot;
  if (is_plot && wishes.has_output)
    return usage("--output: not allowed with --plot, which names the file");
  if (is_plot)
    if (Status status = check_picture_name(options.output); !status) return status;
  if (options.by_file && !is_plot && options.form != Form::kCsv)
    return usage("--by-file: only with --plot or --csv");
  if (!options.title.empty() && !is_plot) return usage("--title: only with --plot");
  if (options.inputs.size() > 1 && !is_plot && !options.by_file)
    return usage("several DATA: only with --plot or --by-file");
  if (options.consumes && options.form == Form::kLive)
    return usage("--consume: not allowed with --live");
  if (options.form == Form::kLive && options.inputs.front().name == "-")
    return usage("--live: found standard input, expected a device");
  return {};
}

Result<Options> finished(ParsedOptions wishes, const std::vector<std::string>& operands) {
  Options& options = wishes.options;
  for (const std::string& operand : operands) options.inputs.push_back(input_of(operand));
  if (options.inputs.empty()) options.inputs.push_back(input_of(default_input()));
  options.form = wishes.form.value_or(options.by_file ? Form::kCsv : Form::kText);
  for (const Input& input : options.inputs)
    if (is_same_file(input.name, options.output))
      return usage("found \"" + options.output +
                   "\" as DATA and as output, expected different files");
  if (Status status = check(wishes); !status) return status.error();
  return std::move(options);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  ParsedOptions wishes;
  Result<CommandLine::Words> words = CommandLine(kProgram).parse(
      argc, argv,
      [&wishes](int option, const char* value) { return apply(option, value, wishes); });
  if (!words) return words.error();
  wishes.options.text_instead = words->text_instead;
  if (!words->text_instead.empty()) return std::move(wishes.options);
  return finished(std::move(wishes), words->operands);
}

}  // namespace physmem::profile
