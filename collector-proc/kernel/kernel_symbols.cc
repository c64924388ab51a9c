// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/kernel_symbols.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

namespace {

constexpr std::size_t kMaxNameBytes = (1u << 10) - 1;
constexpr std::uint64_t kMaxFunctionBytes = (1u << 22) - 1;
constexpr std::uint64_t kPage = 4096;  // the smallest

/// As nm has them: text, global or not, and weak.
bool is_function(char type) {
  return std::string_view("tTwW").find(type) != std::string_view::npos;
}

}  // namespace

struct KernelSymbols::Line {
  Symbol symbol;
  std::string_view module;  ///< "[ext4]"; empty: the kernel itself
  bool is_function = false;
};

/// "ffffffff81000000 T _stext" and, in a module, "ffffffffc0000000 t init\t[ext4]".
KernelSymbols::KernelSymbols(std::string text) : text_(std::move(text)) {
  std::vector<Line> lines;
  TextCursor rest(text_);
  while (!rest.at_end()) {
    TextCursor line(rest.line());
    const auto address = line.number(16);
    if (!address || *address == 0 || !line.skip(' ')) continue;
    const std::string_view type = line.until(' ');
    const std::string_view name = line.until('\t');
    Symbol symbol;
    symbol.address = *address;
    symbol.name = static_cast<std::uint32_t>(name.data() - text_.data());
    symbol.length = std::min(name.size(), kMaxNameBytes) & kMaxNameBytes;
    by_name_.push_back(symbol);
    lines.push_back({symbol, line.rest(), type.size() == 1 && is_function(type[0])});
  }
  std::stable_sort(by_name_.begin(), by_name_.end(),
                   [this](const Symbol& a, const Symbol& b) { return name(a) < name(b); });
  find_functions(std::move(lines));
}

/// A function ends where the next symbol begins. After the last function of a module there may be
/// its initialisation code, which is freed and has no symbols. But code ends with a page.
void KernelSymbols::find_functions(std::vector<Line> lines) {
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.symbol.address < b.symbol.address;
  });
  for (std::size_t i = lines.size(), next = i; i-- > 0;) {
    Line& line = lines[i];
    const std::uint64_t begin = line.symbol.address;
    if (i + 1 < lines.size() && lines[i + 1].symbol.address != begin) next = i + 1;
    const bool is_last = next == lines.size();
    const bool ends_module = !line.module.empty() && (is_last || !lines[next].is_function ||
                                                      lines[next].module != line.module);
    std::uint64_t bytes = is_last ? kMaxFunctionBytes : lines[next].symbol.address - begin;
    if (ends_module) bytes = std::min(bytes, kPage - begin % kPage);
    line.symbol.bytes = std::min(bytes, kMaxFunctionBytes) & kMaxFunctionBytes;
  }
  for (const Line& line : lines)
    if (line.is_function) functions_.push_back(line.symbol);
}

KernelSymbols KernelSymbols::read(const ProcTree& tree) {
  ReadBuffer text;
  const bool is_read = read_at(tree.fd(), "kallsyms", text) == Access::kRead;
  return KernelSymbols(is_read ? std::string(text.text()) : std::string());
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
  if (address - function.address >= function.bytes) return std::nullopt;
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
