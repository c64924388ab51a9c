// SPDX-License-Identifier: MIT
// Which areas of a process are the same memory in two of its snapshots.
//
// An area *continues* another when they overlap and have the same backing: the same file at the
// same place, or no file and the same label; private both, or shared both. Permissions may differ.
// So heap and stack that grew are one area, and so are areas that were merged, split or protected.
// An area that was moved is gone, and new.
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
  std::uint64_t origin =
      0;  ///< address at which the file's first byte would be; 0 where there is no file
  bool is_shared = false;
  UnitKey unit;

  static AreaPlace of(const Vma& vma);
  bool overlaps(const AreaPlace& other) const { return start <= other.last && other.start <= last; }
  bool continues(const AreaPlace& before) const;
};

/// Indices of the areas that `area` continues. `before` ascends.
std::vector<std::size_t> continued(const std::vector<AreaPlace>& before, const AreaPlace& area);

/// Groups that grow together, by their numbers: union-find, with path halving and union by size.
class AreaGroups {
 public:
  explicit AreaGroups(std::size_t size) : joined_(size), size_(size, 1) {
    std::iota(joined_.begin(), joined_.end(), 0);
  }

  std::size_t size() const { return joined_.size(); }
  /// A group of its own.
  std::size_t add() {
    joined_.push_back(joined_.size());
    size_.push_back(1);
    return joined_.size() - 1;
  }
  /// The group that stands for all that `group` was joined with; itself, when there is none.
  std::size_t find(std::size_t group);
  void join(std::size_t a, std::size_t b);
  /// Links that find() has followed so far: what the groups cost.
  std::size_t steps() const { return steps_; }

 private:
  std::vector<std::size_t> joined_;
  std::vector<std::size_t> size_;  ///< of those that stand for a group
  std::size_t steps_ = 0;
};

}  // namespace physmem
