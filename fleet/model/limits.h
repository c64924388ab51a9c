// SPDX-License-Identifier: MIT
// The largest numbers that a report may have. What machines send may be hostile, and stores sum up
// what all of them have sent. formats/fleet-rows.md states these limits.
#pragma once

#include <cstdint>

namespace physmem::fleet {

/// Numbers of stores are below this, so that SQLite's integers can hold them. A larger sum of sizes
/// is an error of the kind kTooLarge.
inline constexpr std::uint64_t kMaxNumber = (std::uint64_t{1} << 63) - 1;

/// Bytes of distinct page frames, and of swap. Linux addresses at most 52 bits of memory on x86-64
/// and arm64, but no machine has 256 TiB.
///
/// Stores sum up the sizes of a unit or class on one machine over time, and for the trend the sizes
/// of a unit on all machines in one day. 288 snapshots a day are 2^20 of a machine in ten years, so
/// 2^43 bytes (8 TiB) fit in each. 100,000 machines take 2^24.8 snapshots a day, so 2^38.2 bytes
/// (300 GiB) fit in each on average.
inline constexpr std::uint64_t kMaxRam = std::uint64_t{1} << 48;

/// Times, in ns.
inline constexpr std::uint64_t kMaxTime = 9'000'000'000'000'000'000;

/// Sizes in which a frame counts for each process that maps it, kernel counters, faults. Stores do
/// not sum them up over snapshots.
inline constexpr std::uint64_t kMaxTotal = std::uint64_t{1} << 60;

/// How far the clock of a host may be ahead of the loader's, in s.
inline constexpr std::uint64_t kMaxAhead = 86400;

/// Processes, alerts, numbers of snapshots: one a second is 2^32 in 136 years. A sum of 2^31 of
/// them is below 2^63.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 32;

/// The kernel's largest huge pages, which are larger than any of its page sizes.
inline constexpr std::uint64_t kMaxPageSize = std::uint64_t{1} << 34;

/// The highest confidence of a leak.
inline constexpr std::uint64_t kMaxConfidence = 2;

}  // namespace physmem::fleet
