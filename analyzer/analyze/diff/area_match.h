// SPDX-License-Identifier: MIT
// Matches the areas of a process between two snapshots.
//
// An area *continues* another if they overlap and have the same backing: the same file at the same
// offset, or no file and the same label; and both are private or both shared. Permissions may
// differ. So a heap or stack that grew is one area, and so are areas that were merged, split or
// protected. An area that was moved counts as gone and new.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "analyzer/model/region.h"
#include "analyzer/model/vma.h"

namespace physmem {

struct AreaPlace {
  std::uint64_t start = 0;
  std::uint64_t last = 0;  ///< inclusive
  /// Address at which the first byte of the file would be; 0 without a file.
  std::uint64_t origin = 0;
  bool is_shared = false;
  UnitKey unit;

  static AreaPlace of(const Vma& vma);
  bool overlaps(const AreaPlace& other) const { return start <= other.last && other.start <= last; }
  bool continues(const AreaPlace& before) const;
};

/// Indices of the areas that `area` continues. `before` ascends.
std::vector<std::size_t> continued(const std::vector<AreaPlace>& before, const AreaPlace& area);

/// Union-find over numbered groups, with path halving and union by size.
class AreaGroups {
 public:
  explicit AreaGroups(std::size_t size) : joined_(size), size_(size, 1) {
    std::iota(joined_.begin(), joined_.end(), 0);
  }

  std::size_t size() const { return joined_.size(); }
  /// Adds a group with one element and returns its number.
  std::size_t add() {
    joined_.push_back(joined_.size());
    size_.push_back(1);
    return joined_.size() - 1;
  }
  /// The representative of all groups that `group` was joined with, or `group` itself.
  std::size_t find(std::size_t group);
  void join(std::size_t a, std::size_t b);
  /// Links that find() has followed so far, to measure the cost.
  std::size_t steps() const { return steps_; }

 private:
  std::vector<std::size_t> joined_;
  std::vector<std::size_t> size_;  ///< valid for representatives
  std::size_t steps_ = 0;
};

}  // namespace physmem
