// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "analyzer/parse/events.h"

namespace physmem::watch {

/// What is made of the samples.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  SampleSink() = default;
  SampleSink(const SampleSink&) = delete;
  SampleSink& operator=(const SampleSink&) = delete;

  /// Gets each sample, from header to end.
  virtual Events& events() = 0;
  /// A sample is complete: writes what there is to say, if anything. Of the first after a rest
  /// nothing came before.
  virtual void on_sample(std::ostream& out) = 0;
  /// Something was said that is not over yet.
  virtual bool is_busy() const { return false; }
  /// Memory is no longer short: there will be no sample until it is again.
  virtual void on_rest(std::ostream& out) = 0;
};

}  // namespace physmem::watch
