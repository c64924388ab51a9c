// SPDX-License-Identifier: MIT
// Encodes a snapshot as one message (protocol.md, "Snapshots").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analyze/frame_runs.h"
#include "analyzer/analyze/ledger.h"
#include "analyzer/analyze/ram_runs.h"
#include "program/result.h"

namespace physmem::view {

/// Everything that the page shows of a snapshot.
struct ShownSnapshot {
  FrameRuns mapped;
  Ledger ledger;
  RamRuns ram{ledger};
  std::vector<std::string> notes = {};

  ShownSnapshot() = default;
  ShownSnapshot(const ShownSnapshot&) = delete;  // ram refers to ledger
  ShownSnapshot& operator=(const ShownSnapshot&) = delete;

  /// In the order in which a census must call them.
  std::vector<Analysis*> analyses() { return {&mapped, &ledger, &ram}; }
};

std::string snapshot_bytes(const ShownSnapshot& shown);
/// The `hello` message that precedes it.
std::string snapshot_hello(const FrameRuns& runs);

/// Inserts the bytes (gzip, base64) into the placeholder of `page`. Fails if the placeholder is
/// missing.
Result<std::string> page_with(const std::string& page, const std::string& snapshot);

}  // namespace physmem::view
