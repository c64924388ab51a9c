// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "tests/unit/kernel-image/walkers.h"

namespace physmem::crash {

/// The kernel version that determines the available members and enumerators (approximately).
enum class Era { k5_10, k6_1, k6_12 };

/// The debug information of a simulated kernel. The seed determines the offsets of members.
class FakeTypes {
 public:
  explicit FakeTypes(Era era, std::uint32_t seed = 1);

  /// Finds TYPE.MEMBER{/TYPE.MEMBER}, hidden or not, as the code of the kernel does.
  pm_field field(std::string_view path) const;
  std::uint64_t offset(std::string_view path) const {
    return static_cast<std::uint64_t>(field(path).offset);
  }
  std::size_t size(std::string_view type) const;
  std::uint64_t number(std::string_view enumerator) const;

  /// Removes a type, TYPE.MEMBER or an enumerator from the debug information.
  void hide(const std::string& name) { hidden_.insert(name); }
  bool is_hidden(std::string_view name) const { return hidden_.contains(name); }
  void show(const std::string& name) { hidden_.erase(name); }

  /// Lookups of a dump, which do not find hidden names.
  bool find_member(const std::string& type, const std::string& member, pm_field* field) const;
  std::size_t find_size(const std::string& type) const;
  bool find_number(const std::string& name, std::uint64_t* value) const;

 private:
  void add_struct(std::string_view line, std::uint32_t seed);
  void add_page(std::uint32_t seed);
  std::size_t size_of_member(std::string_view what) const;

  std::map<std::string, std::size_t, std::less<>> sizes_;
  std::map<std::string, pm_field, std::less<>> members_;
  std::map<std::string, std::uint64_t, std::less<>> numbers_;
  std::set<std::string, std::less<>> hidden_;
};

}  // namespace physmem::crash
