// SPDX-License-Identifier: MIT
// One item of a binary trace as its bytes have it, before the differences are added up
// (formats/trace-records.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace physmem {

/// Fields that do not follow are 0. `tag` is the first byte.
struct BinaryItem {
  std::uint8_t tag = 0;
  std::uint64_t sequence = 0;  ///< this and the next six: differences, not yet signed
  std::uint64_t time = 0;
  std::uint64_t address = 0;
  std::uint64_t pfn = 0;
  std::uint64_t slot = 0;
  std::uint64_t sector = 0;
  std::uint64_t cpu = 0;
  std::uint64_t process = 0;
  std::uint64_t flags = 0;
  std::uint64_t service = 0;
  std::uint8_t shape = 0;
  std::uint8_t type = 0;       ///< of a swap area; of the shape and of an area item
  std::uint8_t area_kind = 0;  ///< pm_trace_area_kind
  std::uint64_t count[3] =
      {};  ///< of an end; of a loss the first; of an area its slots; of a process pid and tgid
  std::string name = {};
};

/// Up to the end of the bytes at hand.
struct BinaryParse {
  enum class State { kWhole, kNeedsMore, kBad };
  State state = State::kWhole;
  std::size_t size = 0;      ///< of the item
  std::string problem = {};  ///< what was found, what was expected
};

/// The item at the front of `bytes`. `shape`: that of the last event of the same kind, by kind (1
/// in, 2 out).
BinaryParse parse_binary_item(std::string_view bytes, const std::uint8_t (&shape)[3],
                              BinaryItem& item);

}  // namespace physmem
