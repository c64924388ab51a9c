// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/proc_tree.h"
#include "formats/emit/ram.h"

namespace physmem::collect {

/// A mounted file system.
struct Mount {
  std::uint32_t dev_major = 0;
  std::uint32_t dev_minor = 0;
  std::string place;
  friend bool operator==(const Mount&, const Mount&) = default;
};

/// The mounts of /proc/PID/mountinfo that show a file system from its root on. Of several mounts of
/// a device, the first.
std::vector<Mount> parse_mountinfo(std::string_view text);

/// Writes the mounts of this process as owners of RAM, after `owners` others. Returns their number,
/// with these.
std::uint64_t write_mounts(const ProcTree& tree, pm_out& out, std::uint64_t owners);

}  // namespace physmem::collect
