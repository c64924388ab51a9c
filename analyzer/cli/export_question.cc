// SPDX-License-Identifier: MIT
#include "analyzer/cli/export_question.h"

#include <string>
#include <vector>

#include "analyzer/analyze/time/memory_sample.h"
#include "analyzer/cli/database_question.h"
#include "analyzer/report/counter_trace.h"
#include "analyzer/shape/series_notes.h"
#include "analyzer/shape/view.h"

namespace physmem {
namespace {

/// --perfetto: a series as counters over time. Written while the snapshots are read.
class TraceQuestion : public Question {
 public:
  explicit TraceQuestion(const QuestionContext& context)
      : trace_(context.printer.text()),
        sampler_([this](const MemorySample& sample) { trace_.add(counter_sample(sample)); }) {}
  Analysis& analysis() override { return sampler_; }
  bool needs_pages() const override { return false; }
  bool data_is_missing(const Header&) const override { return false; }
  std::vector<std::string> missing() const override;
  void answer(Printer& printer, const View& view) override;

 private:
  CounterTrace trace_;
  MemorySampler sampler_;
};

void TraceQuestion::answer(Printer& /*printer*/, const View& /*view*/) {
  trace_.end();
}

std::vector<std::string> TraceQuestion::missing() const {
  std::vector<std::string> missing =
      series_notes(sampler_.order(), "so left out of the trace if it is not later");
  if (sampler_.without_time() != 0)
    missing.push_back(counted(sampler_.without_time(), "snapshot") +
                      " left out of the trace: found no time since boot (format version 1)");
  return missing;
}

}  // namespace

std::unique_ptr<Question> make_export_question(const QuestionContext& context) {
  if (context.options.format == Format::kPerfetto) return std::make_unique<TraceQuestion>(context);
  return std::make_unique<DatabaseQuestion>(context);
}

}  // namespace physmem
