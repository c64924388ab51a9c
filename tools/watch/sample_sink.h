// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "analyzer/parse/events.h"

namespace physmem::watch {

/// Processes samples.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  SampleSink() = default;
  SampleSink(const SampleSink&) = delete;
  SampleSink& operator=(const SampleSink&) = delete;

  /// Receives each sample, from header to end.
  virtual Events& events() = 0;
  /// Called when a sample is complete; prints what has changed. The first sample after a rest has
  /// no predecessor.
  virtual void on_sample(std::ostream& out) = 0;
  /// True if a reported state still lasts.
  virtual bool is_busy() const { return false; }
  /// Called when memory is no longer short. The next sample follows when it is short again.
  virtual void on_rest(std::ostream& out) = 0;
};

}  // namespace physmem::watch
