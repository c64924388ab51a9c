// SPDX-License-Identifier: MIT
// bench-report: the table of goals of a run, and its charts.
#include <getopt.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "analyzer/report/painter.h"
#include "program/output_file.h"
#include "tests/bench/report/bench_shape.h"
#include "tests/bench/report/markdown_table_writer.h"

namespace {

using namespace physmem;
using namespace physmem::bench;

constexpr const char* kHelp =
    R"(bench-report: prints the goals of a benchmark run

USAGE
  bench-report [OPTION]... [RUN]

Reads a run that tests/bench/bench.sh has written, or standard input. Prints a
table with one row per goal: the measured value, and whether the goal is met.

OPTIONS
      --markdown       print the table in the form of docs/performance.md
                       [default: text]
      --charts FOLDER  also draw each chart of the run as FOLDER/NAME.svg
                       [default: none]
  -h, --help           print this page

EXAMPLES
  bench-report build/release/bench/run.tsv
  bench-report --markdown --charts samples build/release/bench/run.tsv

EXIT STATUS
  0 all measured goals are met   1 a goal is missed
  2 wrong usage or a malformed run   4 cannot read or write
)";

struct Options {
  bool is_markdown = false;
  std::string charts = {};
  std::string run = "-";
};

enum Status { kAllMet = 0, kMissed = 1, kWrong = 2, kIo = 4 };

[[noreturn]] void refuse(const std::string& why) {
  std::cerr << "bench-report: " << why << " (see bench-report --help)\n";
  std::exit(kWrong);
}

Options options_of(int argc, char* argv[]) {
  enum { kMarkdown = 256, kCharts };
  static constexpr option kLong[] = {{"markdown", no_argument, nullptr, kMarkdown},
                                     {"charts", required_argument, nullptr, kCharts},
                                     {"help", no_argument, nullptr, 'h'},
                                     {}};
  Options options;
  for (int c = 0; (c = getopt_long(argc, argv, "h", kLong, nullptr)) != -1;) {
    if (c == 'h') {
      std::cout << kHelp << std::flush;
      std::exit(std::cout ? kAllMet : kIo);
    }
    if (c == '?') refuse("wrong option");
    if (c == kMarkdown) options.is_markdown = true;
    if (c == kCharts) options.charts = optarg;
  }
  if (optind + 1 < argc) refuse("found " + std::to_string(argc - optind) + " runs, expected one");
  if (optind < argc) options.run = argv[optind];
  return options;
}

int report_error(int status, const std::string& what) {
  std::cerr << "bench-report: " << what << '\n';
  return status;
}

Result<BenchRun> read(const std::string& path) {
  if (path == "-") return read_bench_run(std::cin, "standard input");
  std::ifstream file(path);
  if (!file) return Error{Error::Kind::kIo, path + ": cannot be opened"};
  return read_bench_run(file, path);
}

/// Returns an error message; empty if there is none.
std::string draw(const BenchRun& run, const std::string& folder) {
  for (const Chart& chart : run.charts) {
    OutputFile file(folder + "/" + chart.name + ".svg");
    std::string error = file.error();
    if (error.empty())
      error = paint(file.stream(), PictureFormat::kSvg, {.series = {chart_series(chart, run)}});
    if (error.empty()) error = file.commit();
    if (!error.empty()) return error;
  }
  return {};
}

int report(const Options& options) {
  const auto run = read(options.run);
  if (!run)
    return report_error(run.error().kind == Error::Kind::kIo ? kIo : kWrong, run.error().text);
  const auto writer =
      options.is_markdown ? markdown_table_writer(std::cout) : text_table_writer(std::cout);
  writer->write(goals_table(*run));
  if (!std::cout.flush()) return report_error(kIo, "standard output could not be written");
  if (!options.charts.empty())
    if (const std::string error = draw(*run, options.charts); !error.empty())
      return report_error(kIo, error);
  std::size_t missed = 0;
  std::size_t not_measured = 0;
  for (const Goal& goal : run->goals) {
    if (goal.verdict() == Verdict::kMissed) ++missed;
    if (goal.verdict() == Verdict::kNotMeasured) ++not_measured;
  }
  if (not_measured > 0)
    report_error(kAllMet, "not measured: " + std::to_string(not_measured) +
                              " of the goals; the table has the reasons");
  return missed > 0 ? kMissed : kAllMet;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    return report(options_of(argc, argv));
  } catch (const std::exception& error) {  // from libraries, or std::bad_alloc
    return report_error(kIo, error.what());
  }
}
