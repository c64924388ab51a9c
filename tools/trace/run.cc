// SPDX-License-Identifier: MIT
#include "tools/trace/run.h"

#include <unistd.h>

#include <chrono>
#include <new>
#include <ostream>
#include <utility>

#include "paging/fold/frame_owner.h"
#include "paging/source/open_source.h"
#include "paging/write/form_writer.h"
#include "paging/write/trace_file.h"
#include "program/memory_limit.h"
#include "program/messages.h"
#include "program/missing_option.h"
#include "program/output_target.h"
#include "program/own_memory.h"
#include "program/printable.h"
#include "program/signals.h"
#include "program/terminal.h"
#include "tools/trace/event_filter.h"
#include "tools/trace/progress.h"
#include "tools/trace/replay.h"
#include "tools/trace/snapshot_owners.h"

namespace physmem::record {
namespace {

using Clock = std::chrono::steady_clock;

/// Maximum delay for a signal that arrives just before the program waits.
constexpr std::chrono::milliseconds kTimeout{100};
/// Interval at which a recording is flushed, so that it can be read up to there.
constexpr std::chrono::seconds kFlushEvery{1};

/// Events that are recorded are private, as their trace is.
OutputKind kind_of(const Options& options) {
  return is_trace(options.form) || !options.replay ? OutputKind::kSnapshot
                                                   : kind_of_output({*options.replay});
}

class Run {
 public:
  Run(const Options& options, std::ostream& messages)
      : options_(options),
        messages_(messages),
        file_(options.output, is_recording() && can_grow(options.form), kind_of(options)),
        writer_(make_writer(options.form, options.all_lines, file_.stream(),
                            {.for_terminal = file_.is_terminal(),
                             .for_spreadsheet = options.for_spreadsheet,
                             .lines = &lines_})),
        filter_(*writer_, options.pids,
                is_recording() ? static_cast<std::uint32_t>(::getpid()) : 0),
        owned_(owners_, filter_) {}

  Exit operator()() {
    if (file_.is_terminal() && !has_utf8()) use_ascii();
    if (const std::string problem = file_.error(); !problem.empty())
      return report_error(messages_, kProgramName, {Error::Kind::kIo, problem});
    if (is_binary(options_.form) && file_.is_terminal())
      return report_error(messages_, kProgramName,
                          {Error::Kind::kUsage, not_for_terminals("this form")});
    if (Status status = open(); !status)
      return report_error(messages_, kProgramName, status.error());
    if (const std::string problem = file_.begin(); !problem.empty())
      return report_error(messages_, kProgramName, {Error::Kind::kIo, problem});
    if (Status status = pump(); !status) return failed(status.error());
    return finish();
  }

 private:
  bool is_recording() const { return !options_.replay; }
  PagingSink& sink() { return options_.keep_owners ? static_cast<PagingSink&>(owned_) : filter_; }
  Status open();
  Status pump();
  Exit failed(const Error& error);
  Exit finish();
  std::string write_end();
  void report_totals();
  void miss(const std::string& sentence) {
    if (sentence.empty()) return;
    report(messages_, kProgramName, sentence);
    is_missing_ = true;
  }

  const Options& options_;
  std::ostream& messages_;
  TraceFile file_;
  std::uint64_t lines_ = 0;  ///< of CSV
  std::unique_ptr<TraceWriter> writer_;
  EventFilter filter_;
  FrameOwner owners_;
  OwnerFilter owned_;
  std::unique_ptr<EventSource> source_;
  Replay::Notes (*notes_)(const EventSource&) = nullptr;
  bool is_missing_ = false;
};

Status Run::open() {
  if (!options_.owners.empty())
    if (Status status = read_owners(options_.owners, owners_); !status) return status;
  if (is_recording()) {
    auto source = open_event_source(options_.source);
    if (!source) return source.error();
    source_ = std::move(*source);
    if (const std::string unseen = source_->shortcomings(); !unseen.empty())
      report(messages_, kProgramName, unseen);
    // A page fault of this program while it records would add to the recorded swapping.
    if (const std::string problem = lock_memory(); !problem.empty())
      report(messages_, kProgramName, problem);
    return {};
  }
  auto replay = open_replay(*options_.replay, options_.speed, options_.keep_going);
  if (!replay) return replay.error();
  source_ = std::move(replay->source);
  notes_ = replay->notes;
  return {};
}

Status Run::pump() {
  Progress progress(is_recording() && !options_.is_quiet && options_.output != "-");
  const Clock::time_point begin = Clock::now();
  Clock::time_point flushed = begin;
  while (true) {
    const auto state = source_->pump(sink(), kTimeout);
    if (!state) return state.error();
    if (*state == EventSource::State::kEnd) break;
    const Clock::time_point now = Clock::now();
    if (interrupted() && !is_recording()) {
      if (options_.output != "-")
        return Error{Error::Kind::kIo, "interrupted: " + options_.output + " was not written"};
      miss("interrupted: the rest of the trace is not in the output");
    }
    if (interrupted() || (options_.duration && now - begin >= *options_.duration)) {
      source_->finish(sink());
      break;
    }
    if (now - flushed >= kFlushEvery) {
      writer_->flush();
      file_.stream().flush();
      flushed = now;
    }
    if (!file_.error().empty()) break;  // reported by finish()
    progress.show(filter_, now);
  }
  return {};
}

std::string Run::write_end() {
  source_.reset();  // writing the end must not be recorded
  writer_->end();
  return file_.commit();
}

/// An interrupted recording is kept. The output of a replay is kept only if it is complete.
Exit Run::failed(const Error& error) {
  if (is_recording()) write_end();
  return report_error(messages_, kProgramName, error);
}

void Run::report_totals() {
  const double seconds = static_cast<double>(filter_.last_ns() - filter_.first_ns()) / 1e9;
  const auto tenths = static_cast<std::uint64_t>(seconds * 10);
  report(messages_, kProgramName,
         std::to_string(filter_.ins()) + " swap-ins, " + std::to_string(filter_.outs()) +
             " swap-outs, " + std::to_string(filter_.unmoved()) + " faults that moved no page in " +
             std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " s, " +
             std::to_string(filter_.lost()) + " lost");
  if (writer_->left_out() != 0)
    report(messages_, kProgramName,
           std::to_string(writer_->left_out()) +
               " events cannot be expressed in the paper's lines (--all writes them)");
  if (filter_.own() != 0)
    report(messages_, kProgramName,
           std::to_string(filter_.own()) + " events of its own were left out");
  if (owners_.dropped() != 0)
    report(
        messages_, kProgramName,
        "too many frames: the owners of " + std::to_string(owners_.dropped()) + " were not kept");
}

Exit Run::finish() {
  if (notes_ != nullptr) {
    const Replay::Notes notes = notes_(*source_);
    if (!notes.skipped.empty() && !options_.is_quiet)
      report(messages_, kProgramName, notes.skipped);
    miss(notes.missing);
  }
  const std::string problem = write_end();
  if (file_.closed_pipe()) return Exit::kIo;
  if (!problem.empty()) return report_error(messages_, kProgramName, {Error::Kind::kIo, problem});
  if (!options_.is_quiet) report_totals();
  if (const std::string note = sheet_note("the output", lines_);
      options_.for_spreadsheet && !note.empty())
    report(messages_, kProgramName, note);
  if (filter_.lost() != 0)
    miss(std::to_string(filter_.lost()) + " events were lost: they are not in the output");
  return is_missing_ ? exit_with_missing_data() : Exit::kDone;
}

}  // namespace

Exit run(const Options& options, std::ostream& messages) {
  catch_signals();
  try {
    return Run(options, messages)();
  } catch (const std::bad_alloc&) {
    const std::string subject =
        options.replay ? *options.replay + ": replaying it" : "the recording";
    return report_error(messages, kProgramName,
                        {Error::Kind::kIo, memory_refusal(subject, "allow more")});
  }
}

}  // namespace physmem::record
