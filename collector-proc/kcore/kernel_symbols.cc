// SPDX-License-Identifier: MIT
#include "collector-proc/kcore/kernel_symbols.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

namespace {

/// As nm has them: text, global or not, and weak.
bool is_function(char type) {
  return std::string_view("tTwW").find(type) != std::string_view::npos;
}

}  // namespace

/// "ffffffff81000000 T _stext" and, in a module, "ffffffffc0000000 t init\t[ext4]".
KernelSymbols::KernelSymbols(std::string text) : text_(std::move(text)) {
  TextCursor lines(text_);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    const auto address = line.number(16);
    if (!address || *address == 0 || !line.skip(' ')) continue;
    const std::string_view type = line.until(' ');
    const std::string_view name = line.until('\t');
    const Symbol symbol{*address, static_cast<std::uint32_t>(name.data() - text_.data()),
                        static_cast<std::uint32_t>(name.size())};
    by_name_.push_back(symbol);
    if (type.size() == 1 && is_function(type[0])) functions_.push_back(symbol);
  }
  std::stable_sort(by_name_.begin(), by_name_.end(),
                   [this](const Symbol& a, const Symbol& b) { return name(a) < name(b); });
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
}

std::optional<std::uint64_t> KernelSymbols::address(std::string_view wanted) const {
  const auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), wanted,
      [this](const Symbol& symbol, std::string_view text) { return name(symbol) < text; });
  return found == by_name_.end() || name(*found) != wanted ? std::nullopt
                                                           : std::optional(found->address);
}

std::optional<std::string> KernelSymbols::name_of(std::uint64_t address) const {
  auto after = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](std::uint64_t wanted, const Symbol& symbol) { return wanted < symbol.address; });
  if (after == functions_.begin()) return std::nullopt;
  const Symbol& function = *--after;
  std::array<char, 16> digits;
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), address - function.address, 16);
  return std::string(name(function)) + "+0x" + std::string(digits.data(), end);
}

void KernelSymbols::keep_functions() {
  std::string names;
  for (Symbol& function : functions_) {
    const std::string_view text = name(function);
    function.name = static_cast<std::uint32_t>(names.size());
    names += text;
  }
  names.shrink_to_fit();
  text_ = std::move(names);
  by_name_ = {};
}

}  // namespace physmem::collect
