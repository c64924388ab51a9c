// SPDX-License-Identifier: MIT
// Encodes a snapshot as one message (protocol.md, "Snapshots").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/analyze/process/process_sizes.h"
#include "analyzer/analyze/ram/frame_runs.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/ram_runs.h"
#include "program/result.h"

namespace physmem::view {

/// Sizes of processes that the collector could not read.
class KnownSizes : public Analysis {
 public:
  void on_counters(std::span<const Counter> counters) override { sizes_.add(counters); }
  const ProcessSizeCounters& sizes() const { return sizes_; }

 private:
  ProcessSizeCounters sizes_;
};

/// Everything that the page shows of a snapshot.
struct ShownSnapshot {
  FrameRuns mapped;
  KnownSizes unread;
  Ledger ledger;
  RamRuns ram{ledger};
  std::vector<std::string> notes = {};

  ShownSnapshot() = default;
  ShownSnapshot(const ShownSnapshot&) = delete;  // ram refers to ledger
  ShownSnapshot& operator=(const ShownSnapshot&) = delete;

  /// In the order in which a census must call them.
  std::vector<Analysis*> analyses() { return {&mapped, &unread, &ledger, &ram}; }
};

/// Facts of all snapshots that the page can show.
struct SeriesFacts {
  std::vector<std::uint64_t> times_ms;
  std::vector<std::string> notes;
  std::string changes = {};  ///< JSON; empty unless there are two snapshots
};

std::uint64_t time_ms(const Header& header);
std::uint64_t frames_end(const ShownSnapshot& shown);

/// `number`: of the snapshot in its series, from 0.
std::string snapshot_bytes(const ShownSnapshot& shown, std::uint16_t number = 0);
/// The `hello` message that precedes the first snapshot.
std::string snapshot_hello(const Header& header, std::uint64_t frames_end,
                           const SeriesFacts& series);

/// Inserts the snapshots (gzip, base64) into the placeholder of `page`. Fails if the placeholder is
/// missing.
Result<std::string> page_with(const std::string& page, const std::vector<std::string>& snapshots,
                              const SeriesFacts& series);

}  // namespace physmem::view
