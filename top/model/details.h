// SPDX-License-Identifier: MIT
// The memory of one process in detail: regions, mapped files and maps of its areas.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/process/vma_map.h"
#include "analyzer/model/region.h"
#include "top/model/round.h"

namespace physmem::top {

/// Sums over pages, in KiB.
struct PageSizes {
  Kib virtual_size = 0;
  Kib rss = 0;
  Kib uss = 0;
  Kib pss = 0;
  Kib swap = 0;
};

struct RegionRow {
  std::string name;
  PageSizes sizes;
};

struct FileRow {
  std::string path;
  std::size_t areas = 0;
  PageSizes sizes;
};

/// A line of the maps: the heading of an area, or 64 cells as in MapLine.
struct MapRow {
  std::string text;   ///< the heading, or the address of the first cell
  std::string cells;  ///< empty: a heading
  bool is_heading = false;
  std::uint64_t address = 0;  ///< of the first cell
  std::uint64_t skipped = 0;  ///< pages without a physical page that are left out here
};

struct Details {
  std::uint64_t pid = 0;
  std::string command;
  std::uint64_t uptime_ns = 0;  ///< when the pages were read; 0: unknown
  PageSizes total;
  std::vector<RegionRow> regions;  ///< those that have pages, largest PSS first
  std::vector<FileRow> files;      ///< mapped files and labels, largest PSS first
  std::vector<MapRow> maps;
  std::uint64_t page_bytes = 4096;
  bool are_maps_cut = false;  ///< the process has more than kMaxMapRows lines
};

inline constexpr std::size_t kMaxMapRows = 20'000;

/// Receives the snapshot of one process through a Census that it shares with maps().
class DetailsFold final : public Analysis, private VmaMapSink {
 public:
  DetailsFold() : map_(*this) {}

  /// The analyses for the Census.
  std::vector<Analysis*> analyses() { return {this, &map_}; }
  const Details& details() const { return details_; }

  void on_header(const Header& header) override;
  void on_process(const Process& process) override;

 private:
  /// Sums before they are rounded.
  struct Sums {
    std::uint64_t virtual_pages = 0, resident = 0, single = 0, swapped = 0;
    PageShare share;
    std::size_t areas = 0;

    void add(const PageTally& tally);
  };

  void area(const Process& process, const Area& area) override;
  void line(const Process& process, const Area& area, const MapLine& line) override;
  void process_end(const Process&, const ProcessUse&) override {}
  static void add_regions(const Area& area, std::array<Sums, kRegions>& regions);
  bool has_room();
  PageSizes sizes_of(const Sums& sums) const;

  VmaMap map_;
  Header header_;
  Details details_;
};

}  // namespace physmem::top
