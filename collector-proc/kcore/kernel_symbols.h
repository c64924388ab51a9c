// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace physmem::collect {

/// Functions and variables of the kernel and its modules, by /proc/kallsyms.
class KernelSymbols {
 public:
  /// Takes the text of the file.
  explicit KernelSymbols(std::string text);

  /// False if the kernel hides addresses (kptr_restrict, no CAP_SYSLOG): then all are 0.
  bool has_addresses() const { return !by_address_.empty(); }
  /// Of several symbols of one name the first.
  std::optional<std::uint64_t> address(std::string_view name) const;
  /// "function+0x1f", or nothing if no symbol lies before.
  std::optional<std::string> name_of(std::uint64_t address) const;

 private:
  std::string text_;
  std::unordered_map<std::string_view, std::uint64_t> by_name_;
  std::vector<std::pair<std::uint64_t, std::string_view>> by_address_;
};

}  // namespace physmem::collect
