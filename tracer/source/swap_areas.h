// SPDX-License-Identifier: MIT
// Which swap area a slot is in, and where on its device.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "paging/model/paging_event.h"
#include "tracer/source/swap_extents.h"

namespace physmem {

/// A line of /proc/swaps.
struct SwapLine {
  std::string name;
  bool is_file = false;
  std::uint64_t slots = 0;  ///< usable ones: they have the numbers from 1 to this
  friend bool operator==(const SwapLine&, const SwapLine&) = default;
};

std::vector<SwapLine> parse_swaps(std::string_view text, std::uint32_t page_size);

/// /proc/swaps does not say the types of its areas. The kernel lists areas by ascending type, but
/// leaves out types that are free since a swapoff, so a line is that of a type only where no other
/// is possible, and there are events to know it by: the line of type t has at least as many lines
/// before it as types below t were seen, at most t, and behind it at least as many as types above t
/// were seen. Where that leaves one line, it is certain. On a machine without a swapoff these are
/// all types in use. What is not certain is not named, and its sectors stay unknown.
///
/// Swap files are mapped when the list is read, for what reads it may give its rights away then. A
/// file that is in a later list and cannot be opened any more keeps its map if it is the same one,
/// unchanged; else its sectors are unknown.
class SwapAreas {
 public:
  SwapAreas(std::string root, std::uint32_t page_size);
  ~SwapAreas();
  SwapAreas(const SwapAreas&) = delete;
  SwapAreas& operator=(const SwapAreas&) = delete;

  /// Whether a swapon or swapoff has happened since this was asked last: /proc/swaps can be polled
  /// for that.
  bool has_news() const;
  enum class Reading { kIfChanged, kAnew };
  /// Reads /proc/swaps again. `time_ns`: now, CLOCK_MONOTONIC. Where it has changed, or with kAnew,
  /// all that was known of types is forgotten.
  void refresh(std::uint64_t time_ns, Reading how = Reading::kIfChanged);

  /// An event with this slot of this type happened then. Only what happened since the list was read
  /// says something about it. A slot beyond a line's size, and a type that no line can have, are
  /// told apart.
  void saw(std::uint8_t type, std::uint64_t slot, std::uint64_t time_ns);

  /// The certain ones, by type. `changes()` counts how often that list became another.
  const std::vector<SwapArea>& areas() const { return areas_; }
  std::uint64_t changes() const { return changes_; }
  /// A type was seen that the list has no line for: it is old.
  bool is_outdated() const { return is_outdated_; }

  std::optional<SwapAreaKind> kind_of(std::uint8_t type) const;
  std::optional<std::uint64_t> sector_of(std::uint8_t type, std::uint64_t slot) const;

 private:
  struct Seen {
    std::uint8_t type = 0;
    std::uint64_t highest_slot = 0;
  };
  /// A swap file as it was when it was mapped.
  struct Mapped {
    std::string name;
    std::uint64_t device = 0, inode = 0, size = 0;
    timespec changed = {};
    std::shared_ptr<const SwapExtents> extents;  // null: not known
    bool is_same(const Mapped& other) const;
  };
  struct Known {
    SwapArea area;
    std::shared_ptr<const SwapExtents> extents;  // of a file
  };

  void map_files();
  Mapped map_file(const std::string& name) const;
  std::shared_ptr<const SwapExtents> extents_of_file(const std::string& name) const;
  void conclude();
  std::optional<std::size_t> line_of(std::size_t seen) const;

  std::string root_;
  int swaps_;  // /proc/swaps, for has_news()
  std::uint32_t page_size_;
  std::vector<SwapLine> lines_;
  std::vector<Mapped> files_;  // of the lines that are files
  std::uint64_t read_ns_ = 0;  // since then the list is what it is
  std::vector<Seen> seen_;     // by type
  std::vector<Known> known_;   // by type
  std::vector<SwapArea> areas_;
  std::uint64_t changes_ = 0;
  bool is_outdated_ = false;
};

}  // namespace physmem
