// SPDX-License-Identifier: MIT
#include "top/run.h"

#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "collector-proc/machine.h"
#include "collector-proc/proc_tree.h"
#include "collector-proc/schedule.h"
#include "program/clock.h"
#include "program/messages.h"
#include "program/missing_option.h"
#include "program/printable.h"
#include "program/signals.h"
#include "program/terminal.h"
#include "top/sample/live_source.h"
#include "top/sample/replay_source.h"
#include "top/sample/sample_times.h"
#include "top/screen/frame.h"
#include "top/screen/time_bar.h"
#include "top/session.h"

namespace physmem::top {
namespace {

constexpr std::size_t kBatchColumns = 80;

Status print_batch(const History& history, View& view, UserNames& names, std::size_t index) {
  view.at_round = history.number(index);
  view.width = kBatchColumns;
  Shown shown = look_at(history, view, std::ref(names));
  shown.is_batch = true;
  std::string text;
  for (const Line& line : text_frame(shown, view)) text += plain_text(line) + "\n";
  if (::isatty(STDOUT_FILENO) == 0) text = without_isolates(std::move(text));
  errno = 0;
  std::cout << text << std::endl;
  if (std::cout) return {};
  return errno == EPIPE ? silent_error() : io_error("write standard output", errno);
}

/// Writes samples to a file. Without a name it does nothing.
class Recording {
 public:
  Status open(const Options& options) {
    if (options.record.empty()) return {};
    auto output = open_output(options.record, options.form);
    if (!output) return output.error();
    output_ = std::move(*output);
    return {};
  }
  Status add(const std::string& sample) {
    if (!output_) return {};
    if (const int error = output_->write(sample); error != 0) return output_error(*output_, error);
    if (const int error = output_->mark_whole(); error != 0) return output_error(*output_, error);
    has_sample_ = true;
    return {};
  }
  Status finish() {
    if (!output_ || !has_sample_) return {};  // leaves no file
    output_->keep_whole();
    if (const int error = output_->finish(); error != 0) return output_error(*output_, error);
    return {};
  }

 private:
  std::unique_ptr<Output> output_;
  bool has_sample_ = false;  ///< a whole one
};

class LiveRun {
 public:
  LiveRun(const Options& options, const collect::ProcTree& tree)
      : options_(options),
        tree_(tree),
        source_(tree, collect::machine_of(tree),
                {.pids = options.selection.only.pids, .waits_for_first = options.is_batch}) {}

  Status operator()() {
    if (Status status = recording_.open(options_); !status) return status;
    const Status status = options_.is_batch ? run_batch() : run_screen();
    const Status finished = recording_.finish();
    return status ? finished : status;
  }

 private:
  Status sample() {
    const collect::Machine now = collect::machine_of(tree_);
    Result<Round> round = source_.next(now.time_ns, now.uptime_ns);
    if (!round) return round.error();
    if (samples_ == 0 && round->processes.empty() && !options_.selection.only.pids.empty())
      return Error{Error::Kind::kIo, "found no process of --pid with memory in " + options_.root +
                                         ", expected ids of running ones; kernel threads and "
                                         "zombies have no memory"};
    history_.add(std::move(*round));
    ++samples_;
    return recording_.add(source_.text());
  }

  bool is_done() const {
    return interrupted() || (options_.count != 0 && samples_ >= options_.count);
  }

  Status run_batch() {
    View view = view_of(options_);
    UserNames names;
    collect::Schedule schedule(system_clock().now_ns(), options_.interval_ns);
    while (!interrupted()) {
      if (Status status = sample(); !status) return status;
      if (Status status = print_batch(history_, view, names, history_.size() - 1); !status)
        return status;
      if (is_done()) break;
      schedule.advance(system_clock().now_ns());
      if (system_clock().wait_until(schedule.deadline_ns(), {}) == Woken::kSignal) break;
    }
    return {};
  }

  Status run_screen() {
    auto session = Session::open(options_, history_, source_, UserNames());
    if (!session) return session.error();
    SampleTimes times(system_clock().now_ns());
    while (!(*session)->is_over()) {
      if (Status status = sample(); !status) return status;
      (*session)->draw();
      std::uint64_t next = times.next(system_clock().now_ns(), (*session)->interval_ns());
      for (;;) {
        (*session)->wait_until(next);
        const std::uint64_t now = system_clock().now_ns();
        if ((*session)->is_over() || is_done() || now >= next) break;
        next = times.next_changed(now, (*session)->interval_ns());
      }
      if (is_done()) break;
      times.take(next);
    }
    return {};
  }

  const Options& options_;
  const collect::ProcTree& tree_;
  LiveSource source_;
  History history_;
  Recording recording_;
  std::uint64_t samples_ = 0;
};

Result<Exit> run_live(const Options& options) {
  const auto tree = collect::ProcTree::open_running(options.root);
  if (!tree) return tree.error();
  const Status status = LiveRun(options, *tree)();
  if (!status) return status.error();
  return Exit::kDone;
}

Result<Exit> run_replay(const Options& options) {
  ReplaySource source(options.replay);
  const Result<History> history = source.read();
  if (!history) return history.error();
  UserNames names(source.is_of_this_machine());
  const auto at = options.at ? sample_at(*history, *options.at) : Result<std::size_t>(0);
  if (!at) return Error{at.error().kind, in_quotes(options.replay) + ": --at: " + at.error().text};
  if (options.is_batch) {
    View view = view_of(options);
    for (std::size_t i = *at; i < history->size() && !interrupted(); ++i) {
      if (options.count != 0 && i - *at >= options.count) break;
      if (Status status = print_batch(*history, view, names, i); !status) return status.error();
    }
  } else {
    auto session = Session::open(options, *history, source, names, *at);
    if (!session) return session.error();
    (*session)->draw();
    while (!(*session)->is_over() && !interrupted())
      (*session)->wait_until(std::numeric_limits<std::uint64_t>::max());
  }
  if (source.problem().empty()) return Exit::kDone;
  report(std::cerr, kProgramName, source.problem());
  return exit_with_missing_data();
}

}  // namespace

Exit run(const Options& options) {
  catch_signals();
  if (!has_utf8()) use_ascii();
  const Result<Exit> exit = options.replay.empty() ? run_live(options) : run_replay(options);
  return exit ? *exit : report_error(std::cerr, kProgramName, exit.error());
}

}  // namespace physmem::top
