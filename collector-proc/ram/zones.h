// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace physmem::collect {

/// One zone of /proc/zoneinfo, in pages.
struct MemoryZone {
  std::uint64_t node = 0;
  std::string name;
  std::uint64_t first_pfn = 0;
  std::uint64_t spanned = 0;
  std::uint64_t present = 0;
  std::uint64_t managed = 0;
  std::uint64_t free = 0;
  std::uint64_t percpu_lists = 0;
  std::uint64_t min = 0, low = 0, high = 0;
};

/// Parses /proc/zoneinfo. Zones without frames are left out.
std::vector<MemoryZone> parse_zoneinfo(std::string_view text);

}  // namespace physmem::collect
