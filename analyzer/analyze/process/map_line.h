// SPDX-License-Identifier: MIT
// A residency map with 64 pages per line (figures 4 and 5 of the paper).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace physmem {

inline constexpr std::uint64_t kMapColumns = 64;

struct MapLine {
  std::uint64_t first_page = 0;  ///< from the start of the map
  /// '.' no physical page, '1'…'9' number of mappings, '#' ten or more, ' ' no virtual page, '0' a
  /// physical page whose mappings are not counted (the zero page, device memory). 64 characters.
  std::string cells;
  /// Number of pages left out here, otherwise 0. Their cells would be like `cells`, which are all
  /// the same; without cells, none of the pages is resident.
  std::uint64_t skipped = 0;
};

constexpr char map_cell(std::uint64_t mappings) {
  return mappings < 10 ? static_cast<char>('0' + mappings) : '#';
}

/// Combines cells, in order of pages, into lines. Lines without a resident page are shown, except
/// that a run of more than kMaxGap is one line with the number of skipped pages. Areas of
/// terabytes with a few resident pages are common. So is one of more than kMaxAlike lines of a run
/// of frames; only crafted snapshots have those.
class MapLines {
 public:
  using Sink = std::function<void(const MapLine&)>;
  static constexpr std::uint64_t kMaxGap = 16;
  static constexpr std::uint64_t kMaxAlike = 1024;

  MapLines(std::uint64_t pages, Sink sink) : pages_(pages), sink_(std::move(sink)) {}

  /// `page` must be above all earlier ones.
  void put(std::uint64_t page, char cell);
  /// The same for `pages` pages from `page` on.
  void put(std::uint64_t page, std::uint64_t pages, char cell);
  void finish();

 private:
  void open(std::uint64_t line);
  void close();
  void empty_lines(std::uint64_t from, std::uint64_t to);
  std::string blank(std::uint64_t line) const;

  std::uint64_t pages_;
  Sink sink_;
  std::uint64_t next_line_ = 0;  ///< the first line not passed to sink_
  bool is_open_ = false;
  MapLine line_;
};

}  // namespace physmem
