// SPDX-License-Identifier: MIT
// The snapshots of one or more files as messages for the page, in the order in which they are read.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/parse/byte_source.h"
#include "program/result.h"
#include "viewer/snapshot_message.h"

namespace physmem::view {

struct Moments {
  std::string hello;
  std::vector<std::string> snapshots;  ///< message 4 of each
  SeriesFacts series;
  bool data_is_missing = false;
};

struct NamedInput {
  std::string name;
  std::unique_ptr<ByteSource> bytes;
};

struct MomentLimits {
  std::size_t bytes = 0;  ///< of all messages. The first snapshot is read in any case
  bool keep_going = false;
};

/// Calls `note` with each note. Those on the snapshots of a series are summed up: one of each kind.
/// Fails if the first snapshot cannot be read.
Result<Moments> read_moments(std::vector<NamedInput> inputs, const MomentLimits& limits,
                             const std::function<void(const std::string&)>& note);

}  // namespace physmem::view
