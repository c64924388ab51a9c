// SPDX-License-Identifier: MIT
#include "collector-proc/kcore/kernel_symbols.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

/// "ffffffff81000000 T _stext" and, in a module, "ffffffffc0000000 t init\t[ext4]".
KernelSymbols::KernelSymbols(std::string text) : text_(std::move(text)) {
  TextCursor lines(text_);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    const auto address = line.number(16);
    if (!address || *address == 0 || !line.skip(' ')) continue;
    line.until(' ');
    const std::string_view name = line.until('\t');
    by_name_.emplace(name, *address);
    by_address_.emplace_back(*address, name);
  }
  std::stable_sort(by_address_.begin(), by_address_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

std::optional<std::uint64_t> KernelSymbols::address(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> KernelSymbols::name_of(std::uint64_t address) const {
  auto after = std::upper_bound(
      by_address_.begin(), by_address_.end(), address,
      [](std::uint64_t wanted, const auto& symbol) { return wanted < symbol.first; });
  if (after == by_address_.begin()) return std::nullopt;
  const auto& [start, name] = *--after;
  std::array<char, 16> digits;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), address - start, 16);
  return std::string(name) + "+0x" + std::string(digits.data(), end);
}

}  // namespace physmem::collect
