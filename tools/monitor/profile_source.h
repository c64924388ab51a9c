// SPDX-License-Identifier: MIT
// Loads samples from a device, a file or standard input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/result.h"
#include "tools/monitor/profile_buffer.h"

namespace physmem::monitor {

/// Samples that have not been consumed from their buffer yet.
struct Untaken {
  ProfileBuffer buffer;
  Reading reading;

  void take() { buffer.empty(reading); }
};

struct Loaded {
  std::vector<Sample> samples;
  std::vector<std::string> missing;  ///< sentences
  /// With Access::kConsume: to be consumed after the samples have been written.
  std::optional<Untaken> untaken = {};
};

/// "node" in the working directory, which the assignment creates with mknod, or the name of the
/// device.
std::string default_input();

/// Whether the file is a text for load() and not a buffer.
bool is_profile_text(const std::string& name);

/// `name` is the device, a file with its contents, or a text of the assignment's monitor; "-" is
/// standard input. Only the device or a file with its contents can be consumed.
Result<Loaded> load(const std::string& name, Access access);

}  // namespace physmem::monitor
