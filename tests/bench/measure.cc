// SPDX-License-Identifier: MIT
// Measures commands: CPU seconds, largest resident size, wall seconds. Several commands run in
// turn, so that other load of the machine affects all of them equally.
#include <fcntl.h>
#include <getopt.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr const char* kHelp =
    R"(measure: CPU seconds and largest resident size of commands

USAGE
  measure [OPTION]... TURNS COMMAND [ARGUMENT]... [++ COMMAND [ARGUMENT]...]...

Runs each command once per turn, in order. Prints one line per command: the
median of its CPU seconds, and the largest resident size of all its runs in KiB.
CPU seconds are user and system time, including waited-for children.

OPTIONS
      --all          print three more columns: the median of wall seconds, and
                     CPU and wall seconds divided by the first command's
                     (medians of the ratios within a turn)
      --save PREFIX  write the output of command K to the file PREFIX.K
                     [default: discard it]
      --accept N     accept exit status N of a command; can be repeated
  -h, --help         print this page

The resident size includes the pages of a mapped file that were read and are
still mapped. A size below about 2 MiB is measure's own, which the kernel counts
for its children.

EXAMPLES
  measure 5 physmem-analyze --basic snap.txt
  measure --all 5 physmem-analyze --basic snap.txt ++ wc -l snap.txt

EXIT STATUS
  0 done   1 a command could not be started or failed   2 wrong usage
  4 output could not be written
)";

struct Sample {
  double cpu = 0;   ///< seconds
  double wall = 0;  ///< seconds
  long kib = 0;
};

struct Command {
  char** words;  ///< ends with a null pointer
  std::vector<Sample> samples = {};
};

struct Options {
  bool has_all_columns = false;
  std::string save = {};
  std::vector<int> accepted = {0};
  int turns = 0;
  std::vector<Command> commands = {};
};

std::optional<int> number(const char* text) {
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto read = std::from_chars(text, end, value);
  if (read.ec != std::errc() || read.ptr != end || value < 0) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "measure: %s (see measure --help)\n", why.c_str());
  std::exit(2);
}

/// The words between "++"s, which are replaced by null pointers.
std::vector<Command> commands_of(char** words) {
  std::vector<Command> commands{{words}};
  for (; *words != nullptr; ++words) {
    if (std::strcmp(*words, "++") != 0) continue;
    *words = nullptr;
    commands.push_back({words + 1});
  }
  for (const Command& command : commands)
    if (*command.words == nullptr)
      refuse("found no command, expected one after TURNS and after each ++");
  return commands;
}

Options options_of(int argc, char* argv[]) {
  enum { kAll = 256, kSave, kAccept };
  static constexpr option kLong[] = {{"all", no_argument, nullptr, kAll},
                                     {"save", required_argument, nullptr, kSave},
                                     {"accept", required_argument, nullptr, kAccept},
                                     {"help", no_argument, nullptr, 'h'},
                                     {}};
  Options options;
  for (int c = 0; (c = getopt_long(argc, argv, "+h", kLong, nullptr)) != -1;) {
    if (c == 'h') {
      std::fputs(kHelp, stdout);
      std::exit(0);
    }
    if (c == '?') refuse("wrong option");
    if (c == kAll) options.has_all_columns = true;
    if (c == kSave) options.save = optarg;
    if (c != kAccept) continue;
    const auto status = number(optarg);
    if (!status || *status > 255)
      refuse("--accept: found " + std::string(optarg) + ", expected 0 to 255");
    options.accepted.push_back(*status);
  }
  const auto turns = optind < argc ? number(argv[optind]) : std::nullopt;
  if (!turns || *turns < 1)
    refuse("TURNS: found " + std::string(optind < argc ? argv[optind] : "nothing") +
           ", expected how often each command runs");
  options.turns = *turns;
  options.commands = commands_of(argv + optind + 1);
  return options;
}

[[noreturn]] void become(const Command& command, const std::string& output) {
  const int to = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (to < 0 || dup2(to, STDOUT_FILENO) < 0) {
    std::fprintf(stderr, "measure: %s: %s\n", output.c_str(), std::strerror(errno));
    _exit(126);
  }
  execvp(command.words[0], command.words);
  std::fprintf(stderr, "measure: %s: %s\n", command.words[0], std::strerror(errno));
  _exit(127);
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

/// Describes an unexpected end of the command; empty if there is none.
std::string flaw(int status, const std::vector<int>& accepted) {
  if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
  if (std::find(accepted.begin(), accepted.end(), WEXITSTATUS(status)) != accepted.end()) return {};
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

Sample run(const Command& command, const std::string& output, const std::vector<int>& accepted) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) become(command, output);
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) {
    std::perror("measure");
    std::exit(1);
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const std::string wrong = flaw(status, accepted);
  if (!wrong.empty()) {
    std::fprintf(stderr, "measure: %s: %s\n", command.words[0], wrong.c_str());
    std::exit(1);
  }
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), wall.count(), usage.ru_maxrss};
}

/// For an even number of values, the mean of the two in the middle.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

double median(const Command& command, double Sample::*what) {
  std::vector<double> values;
  for (const Sample& sample : command.samples) values.push_back(sample.*what);
  return median(std::move(values));
}

/// The median of the ratios within each turn, in which both run under the same load.
double median_ratio(const Command& command, const Command& first, double Sample::*what) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < command.samples.size(); ++i)
    ratios.push_back(command.samples[i].*what / first.samples[i].*what);
  return median(std::move(ratios));
}

void print(const Command& command, const Options& options) {
  long kib = 0;
  for (const Sample& sample : command.samples) kib = std::max(kib, sample.kib);
  std::printf("%.6f %ld", median(command, &Sample::cpu), kib);
  const Command& first = options.commands.front();
  if (options.has_all_columns)
    std::printf(" %.6f %.6g %.6g", median(command, &Sample::wall),
                median_ratio(command, first, &Sample::cpu),
                median_ratio(command, first, &Sample::wall));
  std::putchar('\n');
}

}  // namespace

int main(int argc, char* argv[]) {
  Options options = options_of(argc, argv);
  for (int turn = 0; turn < options.turns; ++turn)
    for (std::size_t k = 0; k < options.commands.size(); ++k) {
      const std::string output =
          options.save.empty() ? "/dev/null" : options.save + "." + std::to_string(k + 1);
      options.commands[k].samples.push_back(run(options.commands[k], output, options.accepted));
    }
  for (const Command& command : options.commands) print(command, options);
  return std::fflush(stdout) == 0 ? 0 : 4;
}
