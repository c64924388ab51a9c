// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "formats/compact/run.h"

namespace physmem::compact {

/// Finds the number of a name or a use in the dictionaries. Only the writer needs it.
class DictionaryIndex {
 public:
  /// Returns 0, the number of the empty entry, if not found.
  std::uint64_t find_name(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? 0 : found->second;
  }
  void add_name(std::string_view name, std::uint64_t number) { names_.emplace(name, number); }

  std::uint64_t find_use(const Use& use) const {
    const auto found = uses_.find(use);
    return found == uses_.end() ? 0 : found->second;
  }
  void add_use(const Use& use, std::uint64_t number) { uses_.emplace(use, number); }

  void reset() {
    names_.clear();
    uses_.clear();
  }

 private:
  /// Finds a std::string by a std::string_view, without a copy.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> names_;
  std::unordered_map<Use, std::uint64_t, HashOfUse> uses_;
};

}  // namespace physmem::compact
