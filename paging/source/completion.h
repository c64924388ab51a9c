// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "paging/source/swap_areas.h"

namespace physmem {

/// Adds the information that kernel records lack: the sectors of slots, and which swap devices are
/// in memory. Records come in batches. The list of swap areas is read *after* a batch, so that it
/// is valid either for the whole batch or for no record of it.
class Completion {
 public:
  /// `source` is the name in the header: kmod or bpf. `time_ns` is the current CLOCK_MONOTONIC.
  /// `root` is a prefix for /proc. Maps swap files, which requires read access to them.
  Completion(const std::string& source, std::uint64_t time_ns, const std::string& root = "");

  /// `time_ns` is the current CLOCK_MONOTONIC. True if the header has changed.
  bool complete(std::span<pm_paging_record> records, std::uint64_t time_ns);

  const TraceHeader& header() const { return header_; }

 private:
  void look_at_areas(std::uint64_t time_ns);

  TraceHeader header_;
  SwapAreas areas_;
  std::uint64_t looked_ns_ = 0;
  std::uint64_t reported_changes_ = 0;  // SwapAreas::changes() of the current header
};

}  // namespace physmem
