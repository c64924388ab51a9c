// SPDX-License-Identifier: MIT
// --perfetto: a series as counters over time.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/time/memory_sample.h"
#include "analyzer/cli/question.h"
#include "analyzer/report/counter_trace.h"

namespace physmem {

/// Written while the snapshots are read.
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

}  // namespace physmem
