// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// Functions of the kernel and its modules by address, and the addresses of some names, by
/// /proc/kallsyms. It takes 16 bytes and a name for each function: 5 to 8 MB.
class KernelSymbols {
 public:
  /// `wanted`: the names that address() is asked for. Empty if the file cannot be read.
  static KernelSymbols read(const ProcTree& tree, const std::vector<std::string_view>& wanted);
  /// From the text of the file.
  KernelSymbols(std::string_view text, const std::vector<std::string_view>& wanted);
  /// Without symbols.
  KernelSymbols() = default;
  KernelSymbols(const KernelSymbols&) = delete;
  KernelSymbols& operator=(const KernelSymbols&) = delete;
  KernelSymbols(KernelSymbols&&) = default;
  KernelSymbols& operator=(KernelSymbols&&) = default;

  /// False if the kernel hides addresses (kptr_restrict, no CAP_SYSLOG): then all are 0.
  bool has_addresses() const { return !functions_.empty(); }
  /// Of a wanted name: the first of several symbols in the file.
  std::optional<std::uint64_t> address(std::string_view name) const;
  /// "function+0x1f", or nothing if the address is in no function.
  std::optional<std::string> name_of(std::uint64_t address) const;

 private:
  struct Symbol {
    std::uint64_t address = 0;
    std::uint32_t name = 0;        ///< offset in names_
    std::uint32_t length : 9 = 0;  ///< of the name: KSYM_NAME_LEN is 512; 0: no function
    std::uint32_t bytes : 23 = 0;  ///< of a function: at most so many
  };

  explicit KernelSymbols(const std::vector<std::string_view>& wanted);
  void add_lines(std::string_view text);
  void finish();
  std::size_t module_of(const Symbol& symbol) const;
  void find_ends();
  std::string_view name(const Symbol& symbol) const {
    return std::string_view(names_).substr(symbol.name, symbol.length);
  }

  std::map<std::string, std::uint64_t, std::less<>> addresses_;  ///< 0: not found
  std::string names_;                   ///< of functions, in the order of the file
  std::string module_;                  ///< of the last line, "[ext4]"
  std::vector<std::uint32_t> modules_;  ///< where the names of each module begin in names_
  std::vector<Symbol> functions_;       ///< by address; before finish() all symbols
};

/// The names of kernel-image/layout.h.
std::vector<std::string_view> layout_symbols();

}  // namespace physmem::collect
