// SPDX-License-Identifier: MIT
#include "analyzer/many/fleet_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <new>
#include <ostream>
#include <thread>
#include <utility>
#include <vector>

#include "analyzer/input/fleet_notes.h"
#include "analyzer/input/fleet_progress.h"
#include "analyzer/input/foreign_files.h"
#include "analyzer/input/notes.h"
#include "analyzer/input/snapshot_files.h"
#include "analyzer/many/fleet_reader.h"
#include "analyzer/many/fleet_report.h"
#include "analyzer/many/ordered_answers.h"
#include "analyzer/report/csv_files.h"
#include "program/messages.h"
#include "program/missing_option.h"
#include "program/output_file.h"
#include "program/signals.h"

namespace physmem {
namespace {

using Answers = OrderedAnswers<FleetAnswer>;

/// Longest wait for an answer before signals and progress are handled.
constexpr std::chrono::milliseconds kTimeout(100);

/// A pool of threads that read files. The destructor joins them.
class ThreadPool {
 public:
  ThreadPool(std::size_t size, const std::vector<SnapshotFile>& files, const FleetReader& reader,
             Answers& answers)
      : files_(files), reader_(reader), answers_(answers) {
    threads_.reserve(size);
    try {
      while (threads_.size() < size) threads_.emplace_back([this] { work(); });
    } catch (const std::exception&) {
      if (threads_.empty()) throw;  // fewer threads give the same result
    }
  }
  ~ThreadPool() {
    answers_.stop();
    for (std::thread& thread : threads_) thread.join();
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

 private:
  void work() {
    while (const auto piece = answers_.claim()) {
      reader_.read(
          files_[*piece], [&](FleetAnswer answer) { answers_.put(*piece, std::move(answer)); },
          [&] { return answers_.is_stopped(); });
      answers_.finish(*piece);
    }
  }

  const std::vector<SnapshotFile>& files_;
  const FleetReader& reader_;
  Answers& answers_;
  std::vector<std::thread> threads_;
};

std::vector<std::string> paths_of(const std::vector<SnapshotFile>& files) {
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const SnapshotFile& file : files) paths.push_back(file.path);
  return paths;
}

class FleetRun {
 public:
  FleetRun(const Options& options, std::vector<SnapshotFile> files, std::ostream& messages)
      : options_(options),
        files_(std::move(files)),
        messages_(messages),
        questions_(options),
        output_(options.output, kind_of_output(paths_of(files_))),
        report_(output_, options, questions_),
        progress_(files_.size(), all_bytes(files_)) {}

  Exit operator()(const std::vector<std::string>& problems) {
    if (const std::string problem = output_.error(); !problem.empty()) return cannot_write(problem);
    for (const std::string& problem : problems) {
      report(messages_, kProgramName, problem);
      notes_.add_lost_file();
    }
    read_all();
    if (const std::string others = foreign_.others(); !others.empty())
      report_line(others + "; left out");
    if (!error().empty()) return output_.closed_pipe() ? Exit::kIo : cannot_write(error());
    if (notes_.snapshots() == 0 && !interrupted())
      return report_error(messages_, kProgramName,
                          {Error::Kind::kBadInput,
                           fmt::format("no snapshot in {}", counted(files_.size(), "file"))});
    return finish();
  }

 private:
  static std::uint64_t all_bytes(const std::vector<SnapshotFile>& files) {
    std::uint64_t sum = 0;
    for (const SnapshotFile& file : files) sum += file.bytes;
    return sum;
  }

  void read_all();
  void take(FleetAnswer&& answer);
  void take_end(const FleetAnswer& end);
  void report_damage(const FleetAnswer& answer);
  void report_line(const std::string& text);
  Exit finish();
  std::string error() const { return output_.error().empty() ? report_.error() : output_.error(); }
  Exit cannot_write(const std::string& problem) {
    return report_error(messages_, kProgramName, {Error::Kind::kIo, problem});
  }

  const Options& options_;
  std::vector<SnapshotFile> files_;
  std::ostream& messages_;
  FleetQuestions questions_;
  OutputFile output_;
  FleetReport report_;
  FleetProgress progress_;
  FleetNotes notes_;
  ForeignFiles foreign_;
  std::size_t whole_files_ = 0;  ///< files read to their ends
  std::uint64_t snapshots_of_file_ = 0;
  bool data_is_missing_ = false;
  bool found_alerts_ = false;
};

/// One thread per file if there are enough files, otherwise several per file.
void FleetRun::read_all() {
  const std::size_t side_by_side = std::min(options_.jobs, files_.size());
  const FleetReader reader(options_, questions_, options_.jobs / side_by_side);
  // As many more files may be finished and wait for one that takes longer.
  Answers answers(files_.size(), 2 * side_by_side);
  const ThreadPool pool(side_by_side, files_, reader, answers);
  FleetAnswer answer;
  for (Answers::Taken taken{}; taken != Answers::Taken::kNothingMore;) {
    if (interrupted() || !error().empty()) answers.stop();
    taken = answers.take(answer, kTimeout);
    if (taken == Answers::Taken::kAnswer && error().empty()) take(std::move(answer));
    progress_.show_if_due();
  }
  progress_.clear();
}

void FleetRun::take(FleetAnswer&& answer) {
  report_damage(answer);
  if (answer.ends_file) return take_end(answer);
  progress_.add_snapshot();
  ++snapshots_of_file_;
  notes_.add(answer.notes, answer.view.header, answer.repeated_areas);
  if (questions_.is_asked("ledger") && answer.view.header.ram != Header::Ram::kAll)
    notes_.add_lack("no frames of RAM: physmem-collect --ram records them");
  if (!answer.lack.empty()) notes_.add_lack(answer.lack + "; left out");
  data_is_missing_ = data_is_missing_ || !answer.lack.empty() || answer.notes.data_is_missing() ||
                     questions_.lacks_data(answer.view.header);
  found_alerts_ = found_alerts_ || answer.alerts.found_some();
  if (answer.lack.empty()) report_.add(std::move(answer));
}

void FleetRun::take_end(const FleetAnswer& end) {
  if (end.is_cut) return;
  progress_.add_file(end.file_bytes);
  const std::uint64_t before = std::exchange(snapshots_of_file_, 0);
  if (!end.problem) {
    ++whole_files_;
    return;
  }
  notes_.add_lost_file();
  if (!foreign_.is_reported(*end.problem)) return;
  report_line(end.problem->text + (before == 0 ? "; left out"
                                               : fmt::format("; {} before that stay in the answer",
                                                             counted(before, "snapshot"))));
}

/// With --keep-going: reports where lines were dropped.
void FleetRun::report_damage(const FleetAnswer& answer) {
  ReadNotes damage;
  damage.dropped_lines = answer.notes.dropped_lines;
  damage.truncated = answer.notes.truncated;
  damage.first_problem = answer.notes.first_problem;
  data_is_missing_ = data_is_missing_ || damage.data_is_missing();
  for (const std::string& sentence : sentences(damage, {}, 0))
    report_line(answer.view.source + ": " + sentence);
}

void FleetRun::report_line(const std::string& text) {
  progress_.clear();
  report(messages_, kProgramName, text);
}

Exit FleetRun::finish() {
  std::vector<std::string> missing =
      notes_.sentences(options_.is_full || (questions_.tables.empty() && questions_.digest));
  if (interrupted())
    missing.push_back(fmt::format(
        "stopped by a signal; the answer has {}, each of them whole; {} of {} were read to the end",
        counted(notes_.snapshots(), "snapshot"), whole_files_, counted(files_.size(), "file")));
  report_.end(missing);
  std::string problem = report_.error();
  if (problem.empty()) {
    if (Status status = report_.commit(); !status)
      return report_error(messages_, kProgramName, status.error());
    problem = output_.commit();
  }
  if (output_.closed_pipe()) return Exit::kIo;
  if (!problem.empty()) return cannot_write(problem);
  for (const std::string& sentence : missing) report(messages_, kProgramName, sentence);
  for (const std::string& note : report_.notes()) report(messages_, kProgramName, note);
  if (options_.fail_on_alert && found_alerts_) return Exit::kAlerts;
  if (interrupted()) return Exit::kDataMissing;
  return data_is_missing_ || notes_.lost_files() != 0 ? exit_with_missing_data() : Exit::kDone;
}

/// Rejects options that make no sense for many machines.
Status check_fleet(const Options& options) {
  const auto refuse = [](const std::string& what) {
    return Error{Error::Kind::kUsage,
                 what +
                     ": not supported with many snapshots (a directory, or "
                     "--fleet); supported are: --basic, --totals, --alerts, --count, "
                     "--ask summary and --ask ledger, as text, CSV or JSON"};
  };
  for (const std::string& question : options.questions)
    if (!question_text(question).of_fleet) return refuse(asked_as(options, question));
  if (options.format && (is_picture(*options.format) || is_export(*options.format)))
    return refuse(fmt::format("--{}", name(*options.format)));
  if (options.is_json_lines) return refuse("--json-lines");
  if (!options.track_file.empty()) return refuse("--track");
  if (!options.only.pids.empty()) return refuse("--pid");
  if (std::find(options.inputs.begin(), options.inputs.end(), "-") != options.inputs.end())
    return refuse("standard input");
  const FleetQuestions questions(options);
  if (options.format != Format::kCsv) return {};
  return check_csv_tables(options.output, questions.tables.size() + (questions.digest ? 1 : 0));
}

}  // namespace

Exit run_fleet(const Options& options, std::ostream& messages) {
  if (Status status = check_fleet(options); !status)
    return report_error(messages, kProgramName, status.error());
  catch_signals(SecondSignal::kEndsProgram);
  auto found = find_snapshot_files(options.inputs, options.output);
  if (!found) return report_error(messages, kProgramName, found.error());
  if (found->files.empty()) {
    for (const std::string& problem : found->problems) report(messages, kProgramName, problem);
    return report_error(messages, kProgramName, no_snapshots(options.inputs));
  }
  try {
    return FleetRun(options, std::move(found->files), messages)(found->problems);
  } catch (const std::bad_alloc&) {
    return report_error(messages, kProgramName,
                        memory_error("the answer about all files", options));
  }
}

}  // namespace physmem
