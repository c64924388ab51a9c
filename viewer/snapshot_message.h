// SPDX-License-Identifier: MIT
// Encodes a snapshot as one message (protocol.md, "Snapshots").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analyze/frame_runs.h"
#include "program/result.h"

namespace physmem::view {

std::string snapshot_bytes(const FrameRuns& runs, const std::vector<std::string>& notes);
/// The `hello` message that precedes it.
std::string snapshot_hello(const FrameRuns& runs);

/// Inserts the bytes (gzip, base64) into the placeholder of `page`. Fails if the placeholder is
/// missing.
Result<std::string> page_with(const std::string& page, const std::string& snapshot);

}  // namespace physmem::view
