// SPDX-License-Identifier: MIT
// A source of paging events: a module, a BPF program, a replayed file, another machine.
#pragma once

#include <chrono>
#include <string>

#include "paging/parse/paging_sink.h"
#include "program/result.h"

namespace physmem {

class EventSource {
 public:
  virtual ~EventSource() = default;

  enum class State { kMore, kEnd };

  /// Waits for at most `timeout` and passes available events to `sink`. kEnd: no events will
  /// follow. The first call passes the header, unless it has not arrived yet (udp). After an error,
  /// no events follow either. The error names the place and a remedy.
  virtual Result<State> pump(PagingSink& sink, std::chrono::milliseconds timeout) = 0;

  /// Passes on all buffered events and those that arrived since. Call this instead of pump() when
  /// you stop before kEnd.
  virtual void finish(PagingSink& /*sink*/) {}

  /// What it cannot observe on this machine, to be reported once. Empty if unknown or nothing.
  virtual std::string shortcomings() const { return {}; }

  /// The current problem of the source, for display. Empty if there is no problem.
  virtual std::string trouble() const { return {}; }

  /// A descriptor for poll(2) instead of `timeout`; -1 if not available.
  virtual int descriptor() const { return -1; }
};

}  // namespace physmem
