// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

namespace physmem::fleet {

/// The key of a snapshot in each table of ClickHouse.
struct SnapshotKey {
  std::uint64_t machine_hash;
  std::uint32_t second;
  std::uint16_t millisecond;

  auto operator<=>(const SnapshotKey&) const = default;
};

}  // namespace physmem::fleet
