// SPDX-License-Identifier: MIT
#include "tools/monitor/options.h"

#include <sys/stat.h>

#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "program/memory_option.h"
#include "program/missing_option.h"
#include "program/option_table.h"
#include "program/option_value.h"
#include "program/same_file.h"
#include "tools/monitor/pictures.h"
#include "tools/monitor/profile_source.h"

namespace physmem::monitor {
namespace {

constexpr ProgramText kProgram{
    kProgramName,
    "print and plot samples of the profiler module physmem_faults",
    R"(  physmem-monitor [OPTION]... [DATA]
  physmem-monitor --plot FILE [OPTION]... [[LABEL=]DATA]...
)",
    R"(DATA is the profiler's device, a file with its contents, a text written by this
program or the assignment's monitor, or - for standard input [default: ./node if
present, otherwise /dev/mp3]. LABEL is its name in a picture [default: the name
of the file without folder and ending]. The module, also loaded by its alias
mp3, takes 20 samples per second.
)",
    R"(EXAMPLES
  physmem-monitor > profile1.data    like ./monitor, but keeps the samples
  physmem-monitor --live             watch a run
  physmem-monitor --plot case_1.svg R,R=profile1.data R,L=profile2.data
  physmem-monitor --by-file --plot case_2.png 5=n5.data 11=n11.data 16=n16.data

EXIT STATUS
  0 done   2 wrong usage   3 bad input
  4 cannot read or write, or --max-memory is too small
  5 done, but data was missing (see standard error)
)",
    "physmem-load(1)"};

Error usage(const std::string& text) {
  return usage_error(kProgram.name, text);
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

/// What the options ask for, before it is known whether they fit together.
struct ParsedOptions : Options {
  std::set<Form> forms;
  bool has_output = false;
};

std::string form_option(Form form) {
  constexpr std::array<const char*, 4> kOptionNames{"--text", "--csv", "--live", "--plot"};
  return kOptionNames[static_cast<std::size_t>(form)];
}

template <Form kForm>
std::string add_form(ParsedOptions& options, const char* /*value*/) {
  options.forms.insert(kForm);
  return {};
}

std::string set_plot(ParsedOptions& options, const char* value) {
  options.output = value;
  return add_form<Form::kPlot>(options, value);
}

std::string set_output(ParsedOptions& options, const char* value) {
  options.output = value;
  options.has_output = true;
  return {};
}

std::string set_hz(ParsedOptions& options, const char* value) {
  constexpr unsigned kMax = 10'000;  // kernels have 24 to 1200
  options.hz = number_of<unsigned>(value);
  const bool is_valid = options.hz && *options.hz != 0 && *options.hz <= kMax;
  return is_valid ? "" : "ticks per second, such as 250";
}

std::string set_cpu_unit(ParsedOptions& options, const char* value) {
  const std::string_view unit = value;
  options.cpu_unit = unit == "ns" ? CpuUnit::kNanoseconds : CpuUnit::kJiffies;
  return unit == "ns" || unit == "jiffies" ? "" : "jiffies or ns";
}

const std::vector<OptionRow<ParsedOptions>> kFormOptions{
    {{0, "text", nullptr,
      "jiffies, minor faults, major faults and CPU time of each sample, sorted by time (default)"},
     add_form<Form::kText>},
    {{0, "csv", nullptr, "the same with times in seconds, CPU in percent, and a header"},
     add_form<Form::kCsv>},
    {{0, "live", nullptr,
      "one line per second, until Ctrl-C: faults per second, CPU in percent of one CPU, and a bar"},
     add_form<Form::kLive>},
    {{0, "plot", "FILE",
      "chart of accumulated faults over time in FILE (.png .svg .pdf .ps); several DATA in one"},
     set_plot},
    {{0, "by-file", nullptr,
      "CPU utilisation and completion time over N, where LABEL is N; with --csv as numbers"},
     set_true<&Options::by_file>}};

const std::vector<OptionRow<ParsedOptions>> kOtherOptions{
    {{'o', "output", "FILE", "write to FILE, which appears only when complete",
      "-, standard output"},
     set_output},
    {{0, "drain", nullptr,
      "clear the samples after the output was written, as the assignment's monitor does",
      "keep them", nullptr, "consume"},
     set_true<&Options::consumes>},
    {{0, "hz", "N", "CONFIG_HZ of the profiled kernel",
      "inferred from the distance of the samples"},
     set_hz},
    {{0, "cpu-unit", "UNIT", "jiffies or ns, as in the module's parameter cpu=", "jiffies"},
     set_cpu_unit},
    {{0, "title", "TEXT", "title of the chart"}, set_text<&Options::title>},
    {kMaxMemoryOption, set_memory<&Options::max_memory>},
    {kAllowMissingOption, allow_missing<ParsedOptions>}};

const OptionTable<ParsedOptions> kTable(kProgram,
                                        {{"FORM", kFormOptions}, {"OPTIONS", kOtherOptions}});

/// Checks for conflicting options.
Status check(const ParsedOptions& options) {
  if (options.forms.size() > 1)
    return usage(
        conflicts_with(form_option(*options.forms.begin()), form_option(*options.forms.rbegin())));
  const bool is_plot = options.form == Form::kPlot;
  if (is_plot && options.has_output) return usage(conflicts_with("--output", "--plot FILE"));
  if (is_plot)
    if (Status status = check_picture_name(options.output); !status) return status;
  if (options.by_file && !is_plot && options.form != Form::kCsv)
    return usage(requires_option("--by-file", "--plot or --csv"));
  if (!options.title.empty() && !is_plot) return usage(requires_option("--title", "--plot"));
  if (options.inputs.size() > 1 && !is_plot && !options.by_file)
    return usage("found " + std::to_string(options.inputs.size()) +
                 " DATA, expected one, or --plot or --by-file with them");
  if (options.consumes && options.form == Form::kLive)
    return usage(conflicts_with("--drain", "--live"));
  if (options.form == Form::kLive && options.inputs.front().name == "-")
    return usage("--live: found standard input, expected a device");
  return {};
}

Result<Options> finished(ParsedOptions options, const std::vector<std::string>& operands) {
  for (const std::string& operand : operands) options.inputs.push_back(input_of(operand));
  if (options.inputs.empty()) options.inputs.push_back(input_of(default_input()));
  const Form usual = options.by_file ? Form::kCsv : Form::kText;
  options.form = options.forms.empty() ? usual : *options.forms.begin();
  for (const Input& input : options.inputs)
    if (is_same_file(input.name, options.output))
      return usage("found \"" + options.output +
                   "\" as DATA and as output, expected different files");
  if (Status status = check(options); !status) return status.error();
  return static_cast<Options&&>(options);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::monitor
