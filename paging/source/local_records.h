// SPDX-License-Identifier: MIT
// Converts kernel records into a trace: adds the header, sectors and kinds of swap areas.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "paging/parse/event_order.h"
#include "paging/source/completion.h"

namespace physmem {

/// For a source on this machine.
class LocalRecords {
 public:
  /// `source` is the name in the header: kmod or bpf. `time_ns` is the current CLOCK_MONOTONIC.
  /// `root` is a prefix for /proc.
  LocalRecords(const std::string& source, std::uint64_t time_ns, const std::string& root = "");

  /// Passes the header on, once. Must be called first.
  void begin(PagingSink& sink);
  /// Completes, sorts and passes on records. `time_ns` is the current CLOCK_MONOTONIC. Events older
  /// than 50 ms no longer wait for their predecessors, also when the batch is empty.
  void add(std::span<pm_paging_record> records, std::uint64_t time_ns, PagingSink& sink);
  /// Passes on all waiting events. Missing numbers that no loss explains become a separate loss.
  void finish(std::uint64_t time_ns, PagingSink& sink);

  /// Valid after begin().
  const EventOrder& order() const { return *order_; }

 private:
  Completion completion_;
  std::optional<EventOrder> order_;
};

}  // namespace physmem
