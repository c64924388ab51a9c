// SPDX-License-Identifier: MIT
// A snapshot as one message (protocol.md, "Snapshots").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analyze/frame_runs.h"
#include "program/result.h"

namespace physmem::view {

std::string snapshot_bytes(const FrameRuns& runs, const std::vector<std::string>& notes);
/// The `hello` that goes before it.
std::string snapshot_hello(const FrameRuns& runs);

/// `page` with the bytes inside, gzip and base64, in the place it has for them. An error: it has
/// none.
Result<std::string> page_with(const std::string& page, const std::string& snapshot);

}  // namespace physmem::view
