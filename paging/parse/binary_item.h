// SPDX-License-Identifier: MIT
// One decoded item of a binary trace, before differences are applied (formats/trace-records.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace physmem {

/// Fields that are not present are 0. `tag` is the first byte.
struct BinaryItem {
  std::uint8_t tag = 0;
  std::uint64_t sequence = 0;  ///< this and the next six are differences, before sign decoding
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
  std::uint8_t type = 0;       ///< type of the swap area, in a shape and in an area item
  std::uint8_t area_kind = 0;  ///< pm_trace_area_kind
  /// End: its three totals. Loss: its count. Area: its slots. Process: pid and tgid.
  std::uint64_t count[3] = {};
  std::string name = {};
};

/// The result of parsing the available bytes.
struct BinaryParse {
  enum class State { kWhole, kNeedsMore, kBad };
  State state = State::kWhole;
  std::size_t size = 0;      ///< of the item
  std::string problem = {};  ///< "found …, expected …"
};

/// Parses the item at the beginning of `bytes`. `shape` holds the shape of the last event per kind
/// (1 in, 2 out).
BinaryParse parse_binary_item(std::string_view bytes, const std::uint8_t (&shape)[3],
                              BinaryItem& item);

}  // namespace physmem
