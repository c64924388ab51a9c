// SPDX-License-Identifier: MIT
// Samples by the name of where they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "monitor/profile_buffer.h"
#include "program/result.h"

namespace physmem::profile {

/// Samples that are still in their buffer.
struct Untaken {
  ProfileBuffer buffer;
  Reading reading;

  void take() { buffer.empty(reading); }
};

struct Loaded {
  std::vector<Sample> samples;
  std::vector<std::string> missing;  ///< sentences
  std::optional<Untaken> untaken =
      {};  ///< with Access::kConsume, for when the samples are in safety
};

/// "node" in the working directory, as the assignment makes it by mknod; else the device's own
/// name.
std::string default_input();

/// A file that is no buffer, but a text as load() takes it.
bool is_profile_text(const std::string& name);

/// The device, a file of its content, a text of the assignment's monitor; "-" is standard input.
/// Only a device or a file of its content can be consumed.
Result<Loaded> load(const std::string& name, Access access);

}  // namespace physmem::profile
