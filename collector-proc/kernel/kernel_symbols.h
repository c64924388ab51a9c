// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/kernel/name_index.h"
#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// Functions and variables of the kernel and its modules, by /proc/kallsyms.
class KernelSymbols {
 public:
  /// Empty if the file cannot be read.
  static KernelSymbols read(const ProcTree& tree);
  /// From the text of the file.
  explicit KernelSymbols(std::string_view text);
  KernelSymbols(const KernelSymbols&) = delete;
  KernelSymbols& operator=(const KernelSymbols&) = delete;
  KernelSymbols(KernelSymbols&&) = default;
  KernelSymbols& operator=(KernelSymbols&&) = default;

  /// False if the kernel hides addresses (kptr_restrict, no CAP_SYSLOG): then all are 0.
  bool has_addresses() const { return !symbols_.empty(); }
  /// The first of several symbols of one name.
  std::optional<std::uint64_t> address(std::string_view name) const;
  /// "function+0x1f", or nothing if the address is in no function.
  std::optional<std::string> name_of(std::uint64_t address) const;
  /// Gives back the memory that only address() needs, half of all.
  void keep_functions();

 private:
  struct Symbol {
    std::uint64_t address = 0;
    std::uint32_t name = 0;         ///< offset in names_
    std::uint32_t length : 10 = 0;  ///< of the name: KSYM_NAME_LEN is 512
    std::uint32_t bytes : 22 = 0;   ///< of a function: at most so many
    std::uint16_t module = 0;       ///< its number; 0: the kernel itself
    bool is_function = false;
  };

  KernelSymbols() = default;
  void add_lines(std::string_view text);
  void finish();
  void find_ends();
  void index_names();
  std::string_view name(const Symbol& symbol) const {
    return std::string_view(names_).substr(symbol.name, symbol.length);
  }

  std::string names_;   ///< in the order of the file
  std::string module_;  ///< of the last line, "[ext4]"
  std::uint16_t modules_ = 0;
  std::vector<Symbol> symbols_;  ///< functions by address, then the others
  std::size_t functions_ = 0;
  NameIndex by_name_;
};

}  // namespace physmem::collect
