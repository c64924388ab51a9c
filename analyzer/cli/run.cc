// SPDX-License-Identifier: MIT
#include "analyzer/cli/run.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "analyzer/analyze/alerts.h"
#include "analyzer/analyze/census.h"
#include "analyzer/cli/notes.h"
#include "analyzer/cli/progress.h"
#include "analyzer/cli/question.h"
#include "analyzer/cli/track.h"
#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "analyzer/report/output_file.h"

namespace physmem {
namespace {

constexpr const char* kProgram = "physmem-analyze";

class Run {
 public:
  Run(const Options& options, std::ostream& messages)
      : options_(options),
        messages_(messages),
        output_(options.output),
        printer_(output_.stream(), options.format, options.inputs.size() > 1) {}

  Exit operator()() {
    if (const std::string problem = output_.error(); !problem.empty())
      return complain(messages_, {Error::Kind::kIo, problem});
    for (const std::string& input : options_.inputs)
      if (Status status = file(input); !status) return complain(messages_, status.error());
    if (const std::string problem = printer_.finish(); !problem.empty() && !output_.closed_pipe())
      return complain(messages_, {Error::Kind::kIo, problem});
    const std::string problem = output_.commit();
    if (output_.closed_pipe()) return Exit::kIo;
    if (!problem.empty()) return complain(messages_, {Error::Kind::kIo, problem});
    if (options_.fail_on_alert && found_alerts_) return Exit::kAlerts;
    return data_is_missing_ ? Exit::kDataMissing : Exit::kDone;
  }

 private:
  Status file(const std::string& input) {
    auto source = open_source(input);
    if (!source) return source.error();
    Progress progress(**source, input, messages_);
    SnapshotReader reader(progress, input == "-" ? "standard input" : input, {options_.keep_going});
    while (true) {
      const auto more = snapshot(reader, input);
      if (!more) return more.error();
      if (!*more) tell_of_the_rest(reader, input);
      if (!*more || output_.closed_pipe()) return {};
    }
  }

  Result<bool> snapshot(SnapshotReader& reader, const std::string& input);
  void tell(const std::string& source, const std::vector<std::string>& missing);
  void tell_of_the_rest(const SnapshotReader& reader, const std::string& input);

  const Options& options_;
  std::ostream& messages_;
  OutputFile output_;
  Printer printer_;
  bool found_alerts_ = false;
  bool data_is_missing_ = false;
};

/// Takes the header out of the stream of events before the analyses see more of it.
class ViewFold : public Analysis {
 public:
  ViewFold(View& view, Printer& printer) : view_(view), printer_(printer) {}
  void on_header(const Header& header) override {
    view_.header = header;
    printer_.begin_snapshot(view_);
  }

 private:
  View& view_;
  Printer& printer_;
};

Result<bool> Run::snapshot(SnapshotReader& reader, const std::string& input) {
  View view{{}, input, options_.is_virtual, options_.is_full};
  std::vector<std::string> missing;
  std::vector<std::unique_ptr<Question>> questions;
  ViewFold view_fold(view, printer_);
  Track track(options_);
  Alerts alerts;
  std::vector<Analysis*> analyses{&view_fold};
  if (options_.fail_on_alert) analyses.push_back(&alerts);
  const QuestionContext context{options_, printer_, view, missing};
  for (const QuestionKind& kind : question_table())
    if (options_.questions.count(kind.name) != 0) questions.push_back(kind.make(context));
  for (const auto& question : questions) analyses.push_back(&question->analysis());
  if (track.is_wanted()) analyses.push_back(&track.analysis());

  Census census(analyses, options_.pids);
  auto found = reader.next(census);
  if (!found || !*found) return found;

  missing = sentences(reader.notes(), census.header(), census.repeated_areas());
  if (!options_.pids.empty() && census.selected() == 0)
    missing.emplace_back("no address space belongs to a process of --pid");
  data_is_missing_ = data_is_missing_ || reader.notes().data_is_missing() ||
                     census.header().count == Header::Count::kAverage ||
                     (!options_.pids.empty() && census.selected() == 0);
  found_alerts_ = found_alerts_ || alerts.found_some();
  std::stable_partition(questions.begin(), questions.end(),
                        [](auto& q) { return q->answers_while_reading(); });
  for (const auto& question : questions) {
    question->answer(printer_, view);
    data_is_missing_ = data_is_missing_ || question->data_is_missing(census.header());
  }
  if (track.is_wanted())
    if (Status status = track.answer(printer_, view); !status) return status.error();
  printer_.end_snapshot(missing);
  output_.stream().flush();  // who follows a series sees each answer when it is there
  // The summary has these lines itself; all other answers are data, so they go to the messages.
  if (options_.questions.count("summary") == 0 || options_.format.value_or(Format::kText) != Format::kText)
    tell(input, missing);
  return true;
}

/// What stood behind the last snapshot and was dropped.
void Run::tell_of_the_rest(const SnapshotReader& reader, const std::string& input) {
  if (reader.notes().dropped_lines == 0) return;
  tell(input, sentences(reader.notes(), {}, 0));
  data_is_missing_ = true;
}

void Run::tell(const std::string& source, const std::vector<std::string>& missing) {
  for (const std::string& sentence : missing)
    fmt::print(messages_, "{}: {}: {}\n", kProgram, source == "-" ? "standard input" : source, sentence);
}

/// An analysis that has no picture cannot be asked for one, and SVG and PNG hold one picture.
Status check(const Options& options) {
  if (!options.format || !is_picture(*options.format)) return {};
  if (options.questions.empty())
    return Error{Error::Kind::kUsage, fmt::format("--track has no form --{}", name(*options.format))};
  for (const QuestionKind& kind : question_table())
    if (options.questions.count(kind.name) != 0 && !kind.has_picture)
      return Error{Error::Kind::kUsage,
                   fmt::format("--{} has no form --{}: --basic, --totals, --vma and --units have pictures",
                               kind.name, name(*options.format))};
  return {};
}

}  // namespace

Exit complain(std::ostream& messages, const Error& error) {
  fmt::print(messages, "{}: {}\n", kProgram, error.text);
  switch (error.kind) {
    case Error::Kind::kUsage:
      return Exit::kUsage;
    case Error::Kind::kBadInput:
      return Exit::kBadInput;
    case Error::Kind::kIo:
      break;
  }
  return Exit::kIo;
}

Exit run(const Options& options, std::ostream& messages) {
  if (Status status = check(options); !status) return complain(messages, status.error());
  return Run(options, messages)();
}

}  // namespace physmem
