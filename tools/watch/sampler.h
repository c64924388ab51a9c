// SPDX-License-Identifier: MIT
#pragma once

#include "analyzer/parse/events.h"
#include "collector-proc/collect.h"

namespace physmem::watch {

/// A source of samples: tasks and counters at one moment.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;

  virtual Status sample(Events& events) = 0;
};

/// Collects a snapshot without areas in memory and parses it. Reuses the memory.
class Sampler final : public SampleSource {
 public:
  /// The tree must outlive it.
  explicit Sampler(const collect::ProcTree& tree) : collector_(tree, {.with_areas = false}) {}

  Status sample(Events& events) override;

 private:
  collect::Collector collector_;
  TextOutput text_;
  collect::Progress silent_{false};
};

}  // namespace physmem::watch
