// SPDX-License-Identifier: MIT
// Maps slots to swap areas and to positions on their devices.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paging/model/paging_event.h"
#include "paging/source/swap_extents.h"

namespace physmem {

/// A line of /proc/swaps.
struct SwapLine {
  std::string name;
  bool is_file = false;
  std::uint64_t slots = 0;  ///< usable slots, numbered from 1 to this
  friend bool operator==(const SwapLine&, const SwapLine&) = default;
};

std::vector<SwapLine> parse_swaps(std::string_view text, std::uint32_t page_size);

/// /proc/swaps does not contain the types of its areas. The kernel lists areas by ascending type
/// but leaves out types that are free since a swapoff. A line is assigned to a type only if events
/// leave no other choice. The line of type t has at least as many lines before it as types below t
/// were seen, and at most t. It has at least as many lines after it as types above t were seen. If
/// only one line remains, the assignment is certain. Without a swapoff, all types in use are
/// certain. Areas that are not certain have no name, and their sectors stay unknown.
///
/// Swap files are mapped when the list is read, because the program may drop its privileges
/// afterwards. A file of a later list that can no longer be opened keeps its map if it is the same,
/// unchanged file. Otherwise its sectors are unknown.
class SwapAreas {
 public:
  SwapAreas(std::string root, std::uint32_t page_size);
  ~SwapAreas();
  SwapAreas(const SwapAreas&) = delete;
  SwapAreas& operator=(const SwapAreas&) = delete;

  /// Whether a swapon or swapoff happened since the last call. Polls /proc/swaps.
  bool has_changed() const;
  enum class Reading { kIfChanged, kForced };
  /// Reads /proc/swaps again. `time_ns` is the current CLOCK_MONOTONIC. If it has changed, or with
  /// kForced, all assignments of types are dropped.
  void refresh(std::uint64_t time_ns, Reading how = Reading::kIfChanged);

  /// Reports an event at `time_ns` with this type and slot. Events from before the list was read
  /// are ignored. A slot beyond the size of a line rules that line out. A type that no line can
  /// have means that the list is outdated.
  void saw(std::uint8_t type, std::uint64_t slot, std::uint64_t time_ns);

  /// The certain areas, by type. `changes()` counts the changes of this list.
  const std::vector<SwapArea>& areas() const { return areas_; }
  std::uint64_t changes() const { return changes_; }
  /// A type without a line in the list was seen, so the list is outdated.
  bool is_outdated() const { return is_outdated_; }

  std::optional<SwapAreaKind> kind_of(std::uint8_t type) const;
  std::optional<std::uint64_t> sector_of(std::uint8_t type, std::uint64_t slot) const;

 private:
  struct Seen {
    std::uint8_t type = 0;
    std::uint64_t highest_slot = 0;
  };
  /// State of a swap file at the time of mapping.
  struct Mapped {
    std::string name;
    std::uint64_t device = 0, inode = 0, size = 0;
    timespec changed = {};
    std::shared_ptr<const SwapExtents> extents;  // null: unknown
    bool is_same(const Mapped& other) const;
  };
  struct Known {
    SwapArea area;
    std::shared_ptr<const SwapExtents> extents;  // for a file
  };

  void map_files();
  Mapped map_file(const std::string& name) const;
  std::shared_ptr<const SwapExtents> extents_of_file(const std::string& name) const;
  void assign_types();
  std::optional<std::size_t> line_of(std::size_t seen) const;

  std::string root_;
  int swaps_;  // /proc/swaps, for has_changed()
  std::uint32_t page_size_;
  std::vector<SwapLine> lines_;
  std::vector<Mapped> files_;  // of the lines that are files
  std::uint64_t read_ns_ = 0;  // time of the last change of the list
  std::vector<Seen> seen_;     // by type
  std::vector<Known> known_;   // by type
  std::vector<SwapArea> areas_;
  std::uint64_t changes_ = 0;
  bool is_outdated_ = false;
};

}  // namespace physmem
