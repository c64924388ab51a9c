// SPDX-License-Identifier: MIT
// Turns what the kernel side sends into what a trace has: the header before, sectors, kinds of swap
// areas.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "paging/parse/event_order.h"
#include "tracer/source/completion.h"

namespace physmem {

/// Of a source that runs on this machine.
class LocalRecords {
 public:
  /// `source`: for the header: kmod, bpf. `time_ns`: now, CLOCK_MONOTONIC. `root` stands before
  /// /proc.
  LocalRecords(const std::string& source, std::uint64_t time_ns, const std::string& root = "");

  /// Hands on the header, once; call it first.
  void begin(PagingSink& sink);
  /// Completes, sorts and hands on. `time_ns`: now, CLOCK_MONOTONIC; events that are older than 50
  /// ms wait no longer for their predecessors. An empty batch does that, too.
  void add(std::span<pm_paging_record> records, std::uint64_t time_ns, PagingSink& sink);
  /// Hands on what still waits; numbers that never came and that no loss accounts for are a loss of
  /// their own.
  void finish(std::uint64_t time_ns, PagingSink& sink);

  /// Behind begin().
  const EventOrder& order() const { return *order_; }

 private:
  Completion completion_;
  std::optional<EventOrder> order_;
};

}  // namespace physmem
