// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tracer/source/swap_areas.h"

namespace physmem {

/// What records of this machine lack: where the slots of swap areas are on their devices, and which
/// devices are memory. Records come in batches; the list of swap areas is looked at *after* a batch
/// was read, so that what is known of it holds for the whole batch, or else for none of it.
class Completion {
 public:
  /// `source`: for the header: kmod, bpf. `time_ns`: now, CLOCK_MONOTONIC. `root` stands before
  /// /proc. Maps swap files: for that it needs their owner's rights.
  Completion(const std::string& source, std::uint64_t time_ns, const std::string& root = "");

  /// `time_ns`: now, CLOCK_MONOTONIC. True: the header has become another.
  bool complete(std::span<pm_paging_record> records, std::uint64_t time_ns);

  const TraceHeader& header() const { return header_; }

 private:
  void look_at_areas(std::uint64_t time_ns);

  TraceHeader header_;
  SwapAreas areas_;
  std::uint64_t looked_ns_ = 0;
  std::uint64_t told_ = 0;  // SwapAreas::changes() of the present header
};

}  // namespace physmem
