// SPDX-License-Identifier: MIT
// The mapping of each executable unit to physical pages, over all processes (I15; figure 5 of the
// paper).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process/map_line.h"
#include "analyzer/analyze/unit_names.h"
#include "analyzer/model/sparse_table.h"

namespace physmem {

/// A part of a unit that processes map from the same file offset with the same permissions.
struct UnitSegment {
  Name unit;                    ///< of several files with one path, with device and inode
  std::uint64_t flags = 0;      ///< r, w, x, X, B
  std::uint64_t offset = 0;     ///< bytes into the file; 0 for a bss
  std::uint64_t pages = 0;      ///< the maximum over processes
  std::uint64_t processes = 0;  ///< those that map it at least once
  /// Pages that are resident in at least one process; with pages=none, the maximum of one process.
  std::uint64_t resident = 0;
};

/// A cell is the number of mappings of the physical page. If processes have different pages
/// (private data), it is the largest number: copies that are used once show as 1, however many
/// there are. Memory: one byte per page of a unit.
class UnitMap : public Analysis {
 public:
  void on_header(const Header& header) override { header_ = header; }
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;

  using SegmentVisit = std::function<void(const UnitSegment&)>;
  using LineVisit = std::function<void(const UnitSegment&, const MapLine&)>;
  /// Visits executable units by name, for each its segments in file order, and for each segment its
  /// lines.
  void for_each(const SegmentVisit& on_segment, const LineVisit& on_line) const;

 private:
  /// 0: not resident. Otherwise mappings + 1, at most 11.
  using Cells = SparseTable<std::uint8_t, 512>;
  struct SegmentKey {
    UnitKey unit;
    bool is_bss = false;
    std::uint64_t offset = 0;
    std::uint64_t flags = 0;
    auto operator<=>(const SegmentKey&) const = default;
  };
  struct SegmentKeyHash {
    std::size_t operator()(const SegmentKey& key) const {
      return UnitKeyHash()(key.unit) ^ (key.offset + key.flags) * 2 ^ (key.is_bss ? 1 : 0);
    }
  };
  struct Segment;
  using Entry = std::pair<const SegmentKey, Segment>;  ///< of segments_
  struct Segment {
    UnitSegment facts;
    Cells cells;
    std::uint64_t last_process = 0;  ///< the last process that maps it
    Entry* next = nullptr;  ///< the segment that followed it, which will mostly follow again
  };

  Segment& find(const SegmentKey& key);
  void visit(const Entry& entry, const SegmentVisit& on_segment, const LineVisit& on_line) const;

  Header header_;
  std::unordered_map<SegmentKey, Segment, SegmentKeyHash> segments_;
  std::unordered_set<UnitKey, UnitKeyHash> executable_;
  UnitNames names_;
  std::uint64_t process_ = 1;  ///< number of the current process
  Segment* current_ = nullptr;
  Entry* last_ = nullptr;  ///< the last result of find()
  UnitKey before_;         ///< the file mapped last in this process, to which a bss belongs
};

}  // namespace physmem
