// SPDX-License-Identifier: MIT
// Where paging events come from: a module, a BPF program, a file that is played again, another
// machine.
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

  /// Waits for at most `timeout`, hands on what there is and comes back. kEnd: nothing will follow.
  /// The first call hands on the header, unless it has not come yet (udp). An error says where and
  /// what to do; nothing follows it either.
  virtual Result<State> pump(PagingSink& sink, std::chrono::milliseconds timeout) = 0;

  /// Hands on what it still holds back, and what has come since; pump() is not called again. Call
  /// it when you stop before kEnd.
  virtual void finish(PagingSink& /*sink*/) {}

  /// What it cannot see on this machine, to be said once; empty: nothing that it says of itself.
  virtual std::string shortcomings() const { return {}; }

  /// What is wrong with it now, for whoever watches its events; empty: nothing.
  virtual std::string trouble() const { return {}; }

  /// What poll(2) can wait for instead of `timeout`; -1 where there is no such thing.
  virtual int descriptor() const { return -1; }
};

}  // namespace physmem
