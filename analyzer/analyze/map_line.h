// SPDX-License-Identifier: MIT
// A residency map, 64 pages a line (figures 4 and 5 of the paper).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace physmem {

inline constexpr std::uint64_t kMapColumns = 64;

struct MapLine {
  std::uint64_t first_page = 0;  ///< from the beginning of what is mapped
  /// '.' no physical page, '1'…'9' that many mappings, '#' ten or more, ' ' no virtual page; '0' a
  /// physical page whose mappings nobody counts (the zero page, device memory). 64 characters.
  std::string cells;
  std::uint64_t skipped = 0;  ///< not 0: as many pages, none of them resident, are left out here
};

constexpr char map_cell(std::uint64_t mappings) {
  return mappings < 10 ? static_cast<char>('0' + mappings) : '#';
}

/// Cells in order of pages, to lines. Lines without a resident page are shown, but a run of more
/// than kLongestGap is one line that says how many pages it skips: areas of terabytes with a few
/// pages are common.
class MapLines {
 public:
  using Sink = std::function<void(const MapLine&)>;
  static constexpr std::uint64_t kLongestGap = 16;

  MapLines(std::uint64_t pages, Sink sink) : pages_(pages), sink_(std::move(sink)) {}

  /// `page` is above all before.
  void put(std::uint64_t page, char cell);
  void finish();

 private:
  void open(std::uint64_t line);
  void close();
  void empty_lines(std::uint64_t from, std::uint64_t to);
  std::string blank(std::uint64_t line) const;

  std::uint64_t pages_;
  Sink sink_;
  std::uint64_t next_line_ = 0;  ///< the first that was not given out
  bool is_open_ = false;
  MapLine line_;
};

}  // namespace physmem
