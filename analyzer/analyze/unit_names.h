// SPDX-License-Identifier: MIT
// What reports by file call the units of a snapshot.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "analyzer/model/region.h"

namespace physmem {

/// Memory: a name per unit.
class UnitNames {
 public:
  void add(const RegionMap::Marks& marks) {
    if (names_.try_emplace(marks.key(), marks.unit).second) ++of_path_[marks.unit.text()];
  }
  /// Call it after the last add(): the unit's name; of several files with one path, with device and
  /// inode. Empty for anonymous memory.
  std::string label(const UnitKey& key) const {
    const auto unit = names_.find(key);
    if (unit == names_.end()) return {};
    const std::string& name = unit->second.text();
    return unit_label(name, key, of_path_.at(name) == 1);
  }
  void clear() { *this = {}; }

 private:
  std::unordered_map<UnitKey, Name, UnitKeyHash> names_;
  std::unordered_map<std::string, std::size_t> of_path_;  ///< how many units have it
};

}  // namespace physmem
