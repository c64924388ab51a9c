// SPDX-License-Identifier: MIT
#include "tools/physmem/run_verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iostream>
#include <optional>
#include <string_view>

#include "analyzer/cli/parse_options.h"
#include "analyzer/cli/run.h"
#include "analyzer/cli/snapshot_at.h"
#include "analyzer/input/snapshot_files.h"
#include "program/child_process.h"
#include "program/command_main.h"
#include "program/memory_limit.h"
#include "program/messages.h"
#include "program/option_value.h"
#include "program/printable.h"
#include "tools/physmem/programs.h"
#include "tools/physmem/verb_page.h"
#include "tools/physmem/verb_words.h"

namespace physmem::command {
namespace {

Exit failed(const Error& error) {
  return report_error(std::cerr, kProgramName, error);
}

/// Processes that the user selects by pid are enough. The analysis reports what is missing.
std::vector<std::string> collector_of(const Collect& collect, const Options& options) {
  std::vector<std::string> command{"physmem-collect", "--quiet"};
  for (std::string& word : collector_words(collect, options.ram))
    command.push_back(std::move(word));
  for (const std::string& path : options.paths) command.push_back("--cached=" + path);
  if (!options.only.pids.empty() && !options.only.has_ids_or_names && collect.is_usual() &&
      !options.joins_counts)
    command.push_back(fmt::format("--pid={}", fmt::join(options.only.pids, ",")));
  return command;
}

Exit analyze(const Options& options) {
  limit_memory(physmem::kProgramName, options.max_memory, 2 * options.jobs);
  return run(options, std::cerr);
}

/// Whether the other end was closed without a byte: the program there has reported why.
bool has_nothing(int pipe) {
  pollfd end{pipe, POLLIN, 0};
  int bytes = 0;
  return ::poll(&end, 1, -1) == 1 && ::ioctl(pipe, FIONREAD, &bytes) == 0 && bytes == 0;
}

volatile pid_t collector_pid = 0;  ///< for the signal handler

/// Ends the collection, so that the answer is about the snapshots so far.
extern "C" void end_collection(int) {
  ::kill(collector_pid, SIGINT);
}

/// The first Ctrl-C ends a series early, the second ends this program.
void end_series_on_interrupt(pid_t collector, Options& options) {
  collector_pid = collector;
  options.keep_going = true;  // the last snapshot may be cut
  struct sigaction action {};
  action.sa_handler = end_collection;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, &action, nullptr);
}

/// The kernel kills programs when memory is short, also at the limit of a cgroup.
Error killed(int signal) {
  return {
      Error::Kind::kIo,
      fmt::format("physmem-collect was ended by signal {} ({}), so there is no complete answer; "
                  "dmesg shows whether memory was short, on the machine or in the cgroup",
                  signal, ::strsignal(signal))};
}

/// A series takes ten seconds or more, so the user sees what it waits for.
void report_series(const Collect& collect) {
  if (::isatty(STDERR_FILENO) == 0 || !collect.is_series()) return;
  report(std::cerr, kProgramName,
         fmt::format("collecting {} snapshots, one every {}", collect.count, collect.interval));
}

/// Analyses this machine. What the collector lacks is missing in the answer.
Exit analyze_now(Options& options, const Collect& collect) {
  report_series(collect);
  auto collector = start_child(path_of("physmem-collect"), collector_of(collect, options),
                               ChildPipe::kFromOutput);
  if (!collector) return failed(collector.error());
  if (::dup2(collector->pipe.get(), STDIN_FILENO) < 0)
    return failed({Error::Kind::kIo, "cannot read from physmem-collect"});
  collector->pipe.reset();
  if (collect.is_series()) {
    end_series_on_interrupt(collector->pid, options);
    options.live_snapshots = collect.count;
  }
  options.only.observers = {static_cast<std::uint64_t>(::getpid()),
                            static_cast<std::uint64_t>(collector->pid)};
  const Exit exit = has_nothing(STDIN_FILENO) ? Exit::kDone : analyze(options);
  ::close(STDIN_FILENO);
  const ChildEnd end = wait_for(collector->pid);
  if (end.signal != 0 && end.signal != SIGPIPE) return failed(killed(end.signal));
  return exit != Exit::kDone || end.signal != 0 ? exit : static_cast<Exit>(end.status);
}

/// An input or output that the verb requires.
Status check_files(const QuestionText& question, const Options& options) {
  if (!options.has_input && question.operand == Operand::kBefore)
    return Error{
        Error::Kind::kUsage,
        fmt::format("{0}: found no snapshot, expected {0} OLD, or OLD NEW", question.word)};
  if (question.operand == Operand::kExport && !is_for_export(options) &&
      !options.questions.contains("folded"))
    return Error{
        Error::Kind::kUsage,
        fmt::format("{}: found {}, expected -o FILE with a name that ends in {}", question.word,
                    options.output == "-" ? "no output" : in_quotes(options.output),
                    one_of(endings_of(question)))};
  if (!options.has_input && options.at)
    return Error{Error::Kind::kUsage,
                 fmt::format("{}: --at: found no file, expected a recording", question.word)};
  if (!options.has_input && options.is_over_time)
    return Error{Error::Kind::kUsage,
                 fmt::format("{}: --over-time: found no file, expected a recording: physmem record "
                             "--interval TIME FILE",
                             question.word)};
  if (options.has_input && !options.ram.empty())
    return Error{Error::Kind::kUsage,
                 fmt::format("{}: --ram={}: found a snapshot with it, expected only one of them",
                             question.word, options.ram)};
  return {};
}

/// Processes of this machine that the user names.
Status check_running(const Options& options) {
  for (const std::uint64_t pid : options.only.pids)
    if (::access(fmt::format("/proc/{}", pid).c_str(), F_OK) != 0)
      return Error{Error::Kind::kIo, fmt::format("this machine has no process {}", pid)};
  return {};
}

/// What is collected of this machine to compare it with an earlier snapshot: as much as that has,
/// and its frames in the same way if that showed less than others do.
Collect collect_like(const Header& old, Options& options) {
  if (options.ram.empty() && old.ram == Header::Ram::kTotals) options.ram = "totals";
  if (options.ram.empty() && old.ram_by == "proc") options.ram = "proc";
  return {.ram = old.ram != Header::Ram::kNone || !options.ram.empty(),
          .tasks_only = !old.has_areas};
}

/// What is collected of this machine. Places are known of the whole of RAM only.
Collect collect_for(const QuestionText& question, const Options& options) {
  Collect collect = question.collect;
  collect.ram = collect.ram || !options.selection.is_all();
  if (!options.paths.empty()) collect = {.tasks_only = true};
  return collect;
}

/// Runs physmem-analyze in this process.
Exit answer(const QuestionText& question, Options options) {
  options.only.leaves_out_collector = true;
  if (Status status = check_files(question, options); !status) return failed(status.error());
  const bool compares_with_now = question.operand == Operand::kBefore &&
                                 options.inputs.size() == 1 && !is_directory(options.inputs[0]);
  if (compares_with_now) options.inputs.emplace_back("-");
  if (options.has_input && !compares_with_now) return analyze(options);
  if (Status status = check_running(options); !compares_with_now && !status)
    return failed(status.error());
  options.name_of_input = "this machine";
  options.is_now = !compares_with_now;
  if (!compares_with_now) return analyze_now(options, collect_for(question, options));
  const auto old = first_header(options.inputs.front());
  if (!old) return failed(old.error());
  return analyze_now(options, collect_like(*old, options));
}

/// As main() gets them: ended by a nullptr.
std::vector<char*> argv_of(std::vector<std::string>& words) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return argv;
}

Exit run_question(const QuestionText& question, std::vector<std::string> words) {
  const VerbPage page(question);
  const auto options = page.options().parse(static_cast<int>(words.size()), argv_of(words).data());
  if (!options) return failed(options.error());
  if (!options->text_instead.empty()) return print_instead(kProgramName, options->text_instead);
  return answer(question, *options);
}

/// physmem-view with a snapshot of this machine as standard input.
Error view_this_machine(const std::vector<std::string>& words) {
  const auto collector = start_child(path_of("physmem-collect"), {"physmem-collect", "--quiet"},
                                     ChildPipe::kFromOutput);
  if (!collector) return collector.error();
  if (::dup2(collector->pipe.get(), STDIN_FILENO) < 0)
    return {Error::Kind::kIo, "cannot read from physmem-collect"};
  std::vector<std::string> command{"physmem-view"};
  command.insert(command.end(), words.begin(), words.end());
  command.emplace_back("-");
  return replace_by(command);
}

Status check_program(const Verb& verb, const std::vector<std::string>& words) {
  const std::string_view name = verb.name;
  return name == "record"    ? check_record(words)
         : name == "convert" ? check_convert(words)
                             : Status();
}

/// Options that name no input.
bool has_no_input(const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "--open"; });
}

}  // namespace

Exit run_verb(const Verb& verb, std::vector<std::string> words) {
  if (verb.question != nullptr) return run_question(*verb.question, std::move(words));
  words.erase(words.begin());
  if (Status status = check_program(verb, words); !status) return failed(status.error());
  if (std::string_view(verb.name) == "view" && has_no_input(words))
    return failed(view_this_machine(words));
  if (verb.operand == Operand::kOutput) words.insert(words.begin(), "--no-terminal");
  words.insert(words.begin(), verb.program);
  return failed(replace_by(words));
}

Exit run_overview(const std::vector<std::string>& snapshots) {
  const bool are_many = std::any_of(snapshots.begin(), snapshots.end(), is_directory);
  std::vector<std::string> words{"physmem-analyze", "--ask", are_many ? "summary" : "overview"};
  words.insert(words.end(), snapshots.begin(), snapshots.end());
  const auto options = parse_options(static_cast<int>(words.size()), argv_of(words).data());
  if (!options) return failed(options.error());
  return answer(question_text(are_many ? "summary" : "overview"), *options);
}

}  // namespace physmem::command
