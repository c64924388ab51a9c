// SPDX-License-Identifier: MIT
#include "analyzer/cli/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <ostream>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/event_tee.h"
#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/ram/frame_filter.h"
#include "analyzer/analyze/verify/joined_counts.h"
#include "analyzer/cli/export_question.h"
#include "analyzer/cli/missing_notes.h"
#include "analyzer/cli/question_table.h"
#include "analyzer/cli/snapshot_at.h"
#include "analyzer/cli/track.h"
#include "analyzer/input/foreign_files.h"
#include "analyzer/input/notes.h"
#include "analyzer/input/snapshot_files.h"
#include "analyzer/many/fleet_run.h"
#include "analyzer/parse/open_source.h"
#include "analyzer/parse/read_progress.h"
#include "analyzer/parse/snapshot_reader.h"
#include "program/messages.h"
#include "program/missing_option.h"
#include "program/moment.h"
#include "program/output_file.h"
#include "program/output_place.h"
#include "program/output_target.h"
#include "program/printable.h"

namespace physmem {
namespace {

/// Copies the header to the view before the analyses receive further events.
class ViewFold : public Analysis {
 public:
  /// `series`: gets the name of the snapshot.
  ViewFold(View& view, View& series, Printer& printer, bool is_answered)
      : view_(view), series_(series), printer_(printer), is_answered_(is_answered) {}
  void on_header(const Header& header) override {
    view_.header = header;
    series_.source = view_.source;
    if (is_answered_) printer_.begin_snapshot(view_);
  }

 private:
  View& view_;
  View& series_;
  Printer& printer_;
  bool is_answered_;  ///< on its own, not only as a part of the series
};

using Questions = std::vector<std::unique_ptr<Question>>;

bool is_of_series(const QuestionText& question, const Options& options) {
  return question.of_series || (question.compares_two && options.inputs.size() == 2) ||
         (question.has("over-time") && options.is_over_time);
}

/// The requested questions about each snapshot, or about the series.
Questions ask(const QuestionContext& context, bool of_series) {
  Questions all;
  for (const QuestionText* const question : asked(context.options))
    if (is_of_series(*question, context.options) == of_series)
      all.push_back(make_question(question->name, context));
  if (of_series && is_for_export(context.options)) all.push_back(make_export_question(context));
  return all;
}

/// Whether a question requires a series. Such questions have their own alerts.
bool compares_snapshots(const Options& options) {
  return any_asked(options, [](const QuestionText& one) { return one.min_snapshots > 1; });
}

bool replaces_output(const Options& options) {
  return any_asked(options, [](const QuestionText& one) { return one.replaces_output; });
}

/// Metrics of a collector's pipe are for node_exporter, which is a user of its own.
OutputKind output_kind(const Options& options) {
  const bool is_live = options.inputs == std::vector<std::string>{"-"};
  return is_live && options.questions.contains("metrics") ? OutputKind::kReport
                                                          : kind_of_output(options.inputs);
}

class Run {
 public:
  Run(const Options& options, std::ostream& messages)
      : options_(options),
        only_(processes_of(options)),
        messages_(messages),
        notes_(options, messages),
        output_(options.output, output_kind(options)),
        printer_(output_, options),
        replaces_output_(replaces_output(options)),
        series_view_{{},
                     options.inputs.back(),
                     options.is_virtual,
                     options.is_full,
                     names_pids(options),
                     printer_.columns() != 0},
        series_(ask({options, printer_, series_view_, series_missing_}, true)) {}

  Exit operator()() {
    if (const std::string problem = output_.error(); !problem.empty())
      return report_error(messages_, kProgramName, {Error::Kind::kIo, problem});
    if (const std::string problem = foreign_contents(); !problem.empty())
      return report_error(messages_, kProgramName, {Error::Kind::kIo, problem});
    if (const std::string refusal = wrong_terminal(); !refusal.empty())
      return report_error(messages_, kProgramName, {Error::Kind::kUsage, refusal});
    if (Status status = read_and_answer(); !status)
      return report_error(messages_, kProgramName, status.error());
    if (failed_ && snapshots_ == 0) return *failed_;
    if (!replaces_output_)
      if (Status status = finish(); !status)
        return report_error(messages_, kProgramName, status.error());
    if (closed_pipe()) return Exit::kIo;
    for (const std::string& note : printer_.notes()) report(messages_, kProgramName, note);
    if (failed_) return *failed_;
    if (is_refuted_ || (options_.fail_on_alert && found_alerts_)) return Exit::kAlerts;
    return data_is_missing_ ? exit_with_missing_data() : Exit::kDone;
  }

 private:
  bool closed_pipe() const { return closed_pipe_ || output_.closed_pipe(); }

  Status finish() {
    if (Status status = printer_.finish(); !status && !output_.closed_pipe()) return status;
    return commit(output_);
  }

  /// A closed pipe is no error.
  Status commit(OutputFile& output) {
    const std::string problem = output.commit();
    closed_pipe_ = output.closed_pipe();
    return problem.empty() || closed_pipe_ ? Status() : Error{Error::Kind::kIo, problem};
  }

  /// Empty, or why a new database would not stay as it is written.
  std::string foreign_contents() const {
    if (options_.format != Format::kSqlite) return "";
    const std::string journal = foreign_journal(options_.output);
    return journal.empty()
               ? ""
               : "cannot write " + for_terminal(options_.output) + ": " + for_terminal(journal) +
                     " exists, and SQLite would write its contents into the new "
                     "database; remove it, or name another file";
  }

  /// Empty, or why the output cannot be a terminal.
  std::string wrong_terminal() const {
    if (!options_.format || !output_.is_terminal()) return "";
    if (is_picture(*options_.format)) return not_for_terminals("a picture");
    return is_export(*options_.format) ? not_for_terminals("an export") : "";
  }

  Status read_and_answer() {
    try {
      for (const std::string& input : options_.inputs) {
        Status status = file(input);
        if (status) continue;
        if (!answers_others()) return status;
        if (options_.skips_files)
          skip(status.error());
        else
          failed_ = failed_.value_or(report_error(messages_, kProgramName, status.error()));
      }
      if (const std::string others = foreign_.others(); !others.empty())
        report(messages_, kProgramName, others);
      if (Status status = check_selection(); !status) return status;
      doing_ = "the series: answering " + asked_questions(options_);
      return answer_series();
    } catch (const std::bad_alloc&) {
      return memory_error(doing_, options_);
    }
  }

  /// A file of a directory that cannot be read.
  void skip(const Error& error) {
    data_is_missing_ = true;
    if (foreign_.is_reported(error)) report_error(messages_, kProgramName, error);
  }

  /// After a file that cannot be read: each file has answers of its own, and they can be written.
  bool answers_others() const {
    return options_.inputs.size() > 1 && (series_.empty() || options_.skips_files) &&
           output_.error().empty();
  }

  Status file(const std::string& input) {
    const std::string name = notes_.name_of(input);
    doing_ = name + ": reading it for " + asked_questions(options_);
    auto source = open_source(input, Undo::kAll, options_.jobs > 1);
    if (!source) return source.error();
    ReadProgress progress(**source, name);
    SnapshotReader reader(progress, name,
                          {.keep_going = options_.keep_going, .jobs = options_.jobs});
    const auto chosen = pass_to(options_.at, input, reader);
    if (!chosen) return chosen.error();
    for (std::size_t number = std::max<std::size_t>(1, *chosen);; ++number) {
      if (options_.live_snapshots != 0)
        progress.at(std::min(number, options_.live_snapshots), options_.live_snapshots);
      const auto more = snapshot(reader, progress, input, number);
      if (!more) return more.error();
      if (!*more) report_dropped_lines(reader, input);
      if (!*more && number > 2) report_number(input, number - 1);
      if (*more && *chosen != 0) report_chosen(input, number);
      if (!*more || closed_pipe() || *chosen != 0) return {};
    }
  }

  Result<bool> snapshot(SnapshotReader& reader, ReadProgress& progress, const std::string& input,
                        std::size_t number);
  View view_of(const std::string& input, std::size_t number) const;
  void add_analyses(const Questions& questions, std::vector<Analysis*>& to) const;
  void add_events(const Questions& questions, EventTee& to) const;
  bool has_summary() const;
  bool writes_early(const Questions& questions) const;
  bool any_needs(const Questions& questions, bool (Question::*what)() const) const;
  void take_notes(const SnapshotReader& reader, const Census& census, const FrameFilter& filter,
                  const Questions& questions, std::vector<std::string>& missing);
  void add_missing(const Question& question, const Header& header,
                   std::vector<std::string>& missing) const;
  Status answer(Questions& questions, Track& track, const View& view,
                const std::vector<std::string>& missing);
  Status answer_series();
  Status replace_output();
  void report_dropped_lines(const SnapshotReader& reader, const std::string& input);
  void report_number(const std::string& input, std::size_t snapshots);
  void report_chosen(const std::string& input, std::size_t number);
  bool fit_selection(const Census& census, const FrameFilter& filter);
  Status check_selection() const;

  const Options& options_;
  const ProcessFilter only_;
  std::ostream& messages_;
  MissingNotes notes_;
  OutputFile output_;  ///< with replaces_output_, only checked
  Printer printer_;
  const bool replaces_output_;
  bool closed_pipe_ = false;
  bool found_alerts_ = false;
  bool data_is_missing_ = false;
  bool is_refuted_ = false;
  bool fits_selection_ = false;  ///< a process fits the words and patterns of the command line
  ForeignFiles foreign_;
  std::optional<Exit> failed_;  ///< the status for the first file that could not be read
  std::string doing_;           ///< for the message if memory runs out
  View series_view_;            ///< of the last snapshot
  std::vector<std::string> series_missing_;
  Questions series_;
  std::size_t snapshots_ = 0;
};

/// `number`: number of the snapshot in the input, from 1.
Result<bool> Run::snapshot(SnapshotReader& reader, ReadProgress& progress, const std::string& input,
                           std::size_t number) {
  View view = view_of(input, number);
  std::vector<std::string> missing;
  Questions questions = ask({options_, printer_, view, missing}, false);
  if (writes_early(questions)) progress.stop();
  Track track(options_);
  const bool is_only_last = takes_last(options_, input);
  ViewFold view_fold(view, series_view_, printer_,
                     !is_only_last && (!questions.empty() || track.is_wanted()));
  Alerts alerts;
  std::vector<Analysis*> analyses{&view_fold};
  const bool looks_for_alerts = options_.fail_on_alert && !compares_snapshots(options_);
  if (looks_for_alerts) analyses.push_back(&alerts);
  add_analyses(questions, analyses);
  if (track.is_wanted()) analyses.push_back(&track.analysis());

  Census census(analyses, only_);
  FrameFilter filter(census, options_.selection);
  EventTee tee({&filter});
  add_events(questions, tee);
  Events& events = tee.size() == 1 ? static_cast<Events&>(filter) : tee;
  JoinedCounts joined(events);
  auto found = reader.next(options_.joins_counts ? joined : events);
  progress.clear();
  if (!found || !*found) return found;

  ++snapshots_;
  series_view_.header = view.header;
  if ((is_only_last && !reader.is_last()) || !fit_selection(census, filter)) return true;
  take_notes(reader, census, filter, questions, missing);
  if (const std::string problem = selection_problem(options_, filter); !problem.empty())
    return Error{Error::Kind::kBadInput, notes_.name_of(input, number) + ": " + problem};
  found_alerts_ = found_alerts_ || (looks_for_alerts && alerts.found_some());
  if (is_only_last) printer_.begin_snapshot(view);
  if (Status status = answer(questions, track, view, missing); !status) return status.error();
  output_.stream().flush();  // so that a reader of the output sees each answer early
  if (!has_summary()) notes_.report_news(notes_.name_of(input, number), missing);
  return true;
}

/// It contains the sentences on missing data. All other answers are data, so that the sentences go
/// to the messages.
bool Run::has_summary() const {
  return options_.questions.count("summary") != 0 &&
         options_.format.value_or(Format::kText) == Format::kText;
}

/// The view of a snapshot that is not yet read. `number`: in the input, from 1 on.
View Run::view_of(const std::string& input, std::size_t number) const {
  View view = series_view_;
  view.header = {};
  view.source = number == 1 ? input : fmt::format("{}#{}", input, number);
  return view;
}

/// Those of the questions about this snapshot and about the series.
void Run::add_analyses(const Questions& questions, std::vector<Analysis*>& to) const {
  for (const auto* all : {&questions, &series_})
    for (const auto& question : *all)
      for (Analysis* const analysis : question->analyses()) to.push_back(analysis);
}

void Run::add_events(const Questions& questions, EventTee& to) const {
  for (const auto* all : {&questions, &series_})
    for (const auto& question : *all)
      if (Events* const events = question->events(); events != nullptr) to.add(*events);
}

/// Whether a terminal gets lines of the answer while the snapshot is read.
bool Run::writes_early(const Questions& questions) const {
  return output_.is_terminal() &&
         std::any_of(questions.begin(), questions.end(),
                     [](const auto& question) { return question->answers_while_reading(); });
}

/// Notes on areas and pages are left out if all questions use only tasks and counters.
bool Run::any_needs(const Questions& questions, bool (Question::*what)() const) const {
  const auto needs = [what](const auto& question) { return ((*question).*what)(); };
  return !options_.track_file.empty() || std::any_of(questions.begin(), questions.end(), needs) ||
         std::any_of(series_.begin(), series_.end(), needs);
}

void Run::take_notes(const SnapshotReader& reader, const Census& census, const FrameFilter& filter,
                     const Questions& questions, std::vector<std::string>& missing) {
  const bool needs_areas = any_needs(questions, &Question::needs_areas);
  Header header = census.header();
  if (!any_needs(questions, &Question::needs_pages)) {
    header.has_pages = true;  // no question needs them
    header.pfn_hidden = false;
  }
  ReadNotes notes = needs_areas ? reader.notes() : reader.notes().of_tasks();
  if (!any_asked(options_, [](const QuestionText& one) { return one.counts_frames; }))
    notes.collector.erase("symbols_hidden");
  missing =
      needs_areas ? sentences(notes, header, census.repeated_areas()) : sentences(notes, {}, 0);
  for (std::string& sentence : sentences_on_selection(census, only_, needs_areas))
    missing.push_back(std::move(sentence));
  if (!filter.fits_payers()) missing.push_back(no_match(options_, only_));
  data_is_missing_ = data_is_missing_ || notes.data_is_missing() || !census.not_found().empty() ||
                     (needs_areas && census.header().count == Header::Count::kAverage);
  for (const auto& question : questions) add_missing(*question, census.header(), missing);
  for (const auto& question : series_)
    data_is_missing_ = data_is_missing_ || question->data_is_missing(census.header());
}

/// Text says in the answer that the snapshot has no frames of RAM; rows cannot.
void Run::add_missing(const Question& question, const Header& header,
                      std::vector<std::string>& missing) const {
  std::vector<std::string> sentences = question.missing();
  if (options_.format.value_or(Format::kText) != Format::kText && sentences.empty() &&
      !question.needs_areas() && question.data_is_missing(header))
    sentences.emplace_back(kNoFrames);
  for (std::string& sentence : sentences)
    if (std::find(missing.begin(), missing.end(), sentence) == missing.end())
      missing.push_back(std::move(sentence));
}

Status Run::answer(Questions& questions, Track& track, const View& view,
                   const std::vector<std::string>& missing) {
  if (replaces_output_) return replace_output();
  if (questions.empty() && !track.is_wanted()) return {};
  std::stable_partition(questions.begin(), questions.end(),
                        [](auto& q) { return q->answers_while_reading(); });
  for (const auto& question : questions) {
    if (const std::string failure = question->failure(); !failure.empty())
      return Error{Error::Kind::kIo, failure};
    question->answer(printer_, view);
    data_is_missing_ = data_is_missing_ || question->data_is_missing(view.header);
    is_refuted_ = is_refuted_ || question->is_refuted();
  }
  if (track.is_wanted())
    if (Status status = track.answer(printer_, view); !status) return status.error();
  printer_.end_snapshot(missing);
  return {};
}

/// The number of snapshots that a question about the series requires, in words.
std::string needed(const QuestionText& question) {
  const std::string least = counted(question.min_snapshots, "snapshot");
  return question.min_snapshots == question.max_snapshots ? least : least + " or more";
}

Status Run::answer_series() {
  if (series_.empty() || replaces_output_) return {};
  for (const QuestionText* const question : asked(options_))
    if (is_of_series(*question, options_) &&
        (snapshots_ < question->min_snapshots || snapshots_ > question->max_snapshots))
      return Error{Error::Kind::kUsage,
                   fmt::format("{}: found {}, expected {}, in separate files or in one",
                               asked_as(options_, *question), counted(snapshots_, "snapshot"),
                               needed(*question))};
  printer_.begin_series(options_.inputs, snapshots_, series_view_);
  for (const auto& question : series_) {
    question->answer(printer_, series_view_);
    if (const std::string failure = question->failure(); !failure.empty())
      return Error{Error::Kind::kIo, failure};
    found_alerts_ = found_alerts_ || question->found_alert();
    for (std::string& sentence : question->missing())
      series_missing_.push_back(std::move(sentence));
  }
  printer_.end_snapshot(series_missing_);
  data_is_missing_ = data_is_missing_ || !series_missing_.empty();
  for (const std::string& sentence : series_missing_) report(messages_, kProgramName, sentence);
  return {};
}

/// Writes the answers up to this snapshot. A pipe gets them one after the other.
Status Run::replace_output() {
  OutputFile output(options_.output, output_kind(options_));
  Printer printer(output, options_);
  for (const auto& question : series_) question->answer(printer, series_view_);
  return commit(output);
}

/// Reports dropped lines after the last snapshot.
void Run::report_dropped_lines(const SnapshotReader& reader, const std::string& input) {
  notes_.end_input(input);
  if (!reader.notes().data_is_missing()) return;
  notes_.report(notes_.name_of(input), sentences(reader.notes(), {}, 0));
  data_is_missing_ = true;
}

void Run::report_number(const std::string& input, std::size_t snapshots) {
  const auto has_rows = [&](const QuestionText& question) {
    return !is_of_series(question, options_);
  };
  if (takes_last(options_, input))
    notes_.report(notes_.name_of(input), {fmt::format("the last of {}; --at TIME chooses another",
                                                      counted(snapshots, "snapshot"))});
  else if (options_.inputs.size() == 1 && printer_.is_csv() && any_asked(options_, has_rows))
    notes_.report(notes_.name_of(input),
                  {"several snapshots in one file: CSV does not say which row is of which "
                   "(--json does, and so does CSV of several files)"});
}

void Run::report_chosen(const std::string& input, std::size_t number) {
  notes_.end_input(input);
  const std::uint64_t seconds = series_view_.header.time_ns.value_or(0) / 1'000'000'000;
  notes_.report(
      notes_.name_of(input),
      {fmt::format("snapshot {}, of {}", number, date_text(static_cast<std::int64_t>(seconds)))});
}

/// False until a process, or a cgroup that pays, fits: there is nothing to answer.
bool Run::fit_selection(const Census& census, const FrameFilter& filter) {
  const bool fits = !selects_processes(options_, only_) || census.has_processes();
  fits_selection_ = fits_selection_ || (fits && filter.fits_payers());
  return fits_selection_;
}

Status Run::check_selection() const {
  if (fits_selection_ || failed_ || snapshots_ == 0) return {};
  return Error{Error::Kind::kIo,
               notes_.name_of(options_.inputs.back()) + ": " + no_match(options_, only_)};
}

}  // namespace

Exit run(const Options& options, std::ostream& messages) {
  if (is_for_fleet(options)) return run_fleet(options, messages);
  if (std::none_of(options.inputs.begin(), options.inputs.end(), is_directory))
    return Run(options, messages)();
  auto found = find_snapshot_files(options.inputs, options.output);
  if (!found) return report_error(messages, kProgramName, found.error());
  for (const std::string& problem : found->problems) report(messages, kProgramName, problem);
  Options of_files = options;
  of_files.inputs.clear();
  of_files.skips_files = true;
  for (SnapshotFile& file : found->files) of_files.inputs.push_back(std::move(file.path));
  if (of_files.inputs.empty())
    return report_error(messages, kProgramName, no_snapshots(options.inputs));
  return Run(of_files, messages)();
}

}  // namespace physmem
