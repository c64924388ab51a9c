// SPDX-License-Identifier: MIT
// The columns of Question::kLeaks, in their order. leaks.sql of ClickHouse states the sums.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace physmem::fleet::growth {

enum Column : std::size_t {
  kMachine,
  kName,
  kCgroup,
  kCount,
  kFirst,
  kLast,
  kMinBytes,
  kMaxBytes,
  kT,
  kTtHigh,
  kTtLow,
  kX,
  kTxHigh,
  kTxLow,
  kK,
  kKkHigh,
  kKkMiddle,
  kKkLow,
  kColumns
};

/// As SQL names them.
inline constexpr std::array<std::string_view, kColumns> kNames{
    "machine",   "name",      "cgroup", "n",       "first",     "last",
    "min_bytes", "max_bytes", "sum_t",  "tt_high", "tt_low",    "sum_x",
    "tx_high",   "tx_low",    "sum_k",  "kk_high", "kk_middle", "kk_low"};

/// A sum in two parts is (high << shift) + low, and kk is (((high << shift) + middle) << shift) +
/// low.
inline constexpr unsigned kTtShift = 12, kTxShift = 20, kKkShift = 13;

}  // namespace physmem::fleet::growth
