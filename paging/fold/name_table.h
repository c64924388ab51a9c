// SPDX-License-Identifier: MIT
// Interned commands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace physmem {

/// Holds at most 65536 names; a trace has some hundred. Number 0 is the empty name and stands for
/// all names that do not fit.
class NameTable {
 public:
  static constexpr std::uint32_t kMax = 65536;

  NameTable() : names_(1) {}

  std::uint32_t number(const std::string& name) {
    if (name == names_[last_]) return last_;
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) return last_ = known->second;
    if (names_.size() >= kMax || name.empty()) return 0;
    last_ = static_cast<std::uint32_t>(names_.size());
    names_.push_back(name);
    numbers_.emplace(name, last_);
    return last_;
  }
  const std::string& name(std::uint32_t number) const { return names_[number]; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint32_t last_ = 0;
};

}  // namespace physmem
