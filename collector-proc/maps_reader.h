// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/errors.h"

namespace physmem::collect {

/// One VMA, as in /proc/PID/maps.
struct Area {
  std::uint64_t start = 0;
  std::uint64_t end = 0;    // exclusive
  std::uint32_t flags = 0;  // PM_VMA_*, without PM_VMA_EXECUTABLE
  std::uint64_t offset = 0;
  std::uint32_t dev_major = 0, dev_minor = 0;
  std::uint64_t inode = 0;
  std::string_view unit;  // path or label as in the file; empty: none
};

/// Parses a line of maps without its newline. Returns nothing if it is malformed. The unit is still
/// escaped.
std::optional<Area> parse_maps_line(std::string_view line);

/// The VMAs of one address space, ascending and not overlapping for any text. The kernel drops its
/// lock between pieces of the file, so a VMA that grew in the meantime may appear a second time
/// with its old start.
class AreaList {
 public:
  void clear();
  /// Returns false, and does not add the VMA, if no part of it is new or if it is a page of the
  /// kernel: [vsyscall] or [vectors].
  bool add(Area area);
  /// Adds flags to the VMAs for which is_meant(area) is true. Returns whether there were any.
  template <typename Predicate>
  bool mark(std::uint32_t flags, Predicate is_meant) {
    bool is_any = false;
    for (Area& area : areas_) {
      if (!is_meant(area)) continue;
      area.flags |= flags;
      is_any = true;
    }
    return is_any;
  }
  const std::vector<Area>& areas() const { return areas_; }

 private:
  std::vector<Area> areas_;
  std::forward_list<std::string>
      decoded_;  // unescaped units; addresses of its strings never change
};

/// The units in the list point into the text.
Status parse_maps(std::string_view text, AreaList& into);

}  // namespace physmem::collect
