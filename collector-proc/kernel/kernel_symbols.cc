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

KernelSymbols::KernelSymbols(std::string_view text) {
  add_lines(text);
  finish();
}

/// Piece by piece: the file has 5 to 15 MB.
KernelSymbols KernelSymbols::read(const ProcTree& tree) {
  KernelSymbols symbols;
  const UniqueFd file = open_at(tree.fd(), "kallsyms");
  ReadBuffer piece;
  std::string text;  // with the beginning of a line that the last piece did not have whole
  while (file && piece.fill_once(file.get()) == Access::kRead && !piece.text().empty()) {
    text += piece.text();
    const std::size_t end = text.rfind('\n') + 1;
    symbols.add_lines(std::string_view(text).substr(0, end));
    text.erase(0, end);
  }
  symbols.finish();
  return symbols;
}

/// "ffffffff81000000 T _stext" and, in a module, "ffffffffc0000000 t init\t[ext4]".
void KernelSymbols::add_lines(std::string_view text) {
  TextCursor rest(text);
  while (!rest.at_end()) {
    TextCursor line(rest.line());
    const auto address = line.number(16);
    if (!address || *address == 0 || !line.skip(' ')) continue;
    const std::string_view type = line.until(' ');
    const std::string_view name = line.until('\t').substr(0, kMaxNameBytes);
    if (line.rest() != module_) {
      module_ = line.rest();
      ++modules_;
    }
    Symbol symbol;
    symbol.address = *address;
    symbol.name = static_cast<std::uint32_t>(names_.size());
    symbol.length = name.size() & kMaxNameBytes;
    symbol.module = module_.empty() ? 0 : modules_;
    symbol.is_function = type.size() == 1 && is_function(type[0]);
    symbols_.push_back(symbol);
    names_ += name;
  }
}

void KernelSymbols::finish() {
  std::sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) {
    return a.address != b.address ? a.address < b.address : a.name < b.name;
  });
  find_ends();
  const auto others = std::stable_partition(
      symbols_.begin(), symbols_.end(), [](const Symbol& symbol) { return symbol.is_function; });
  functions_ = static_cast<std::size_t>(others - symbols_.begin());
  index_names();
}

/// A function ends where the next symbol begins. After the last function of a module there may be
/// its initialisation code, which is freed and has no symbols. But code ends with a page.
void KernelSymbols::find_ends() {
  for (std::size_t i = symbols_.size(), next = i; i-- > 0;) {
    Symbol& symbol = symbols_[i];
    const std::uint64_t begin = symbol.address;
    if (i + 1 < symbols_.size() && symbols_[i + 1].address != begin) next = i + 1;
    const bool is_last = next == symbols_.size();
    const bool ends_module = symbol.module != 0 && (is_last || !symbols_[next].is_function ||
                                                    symbols_[next].module != symbol.module);
    std::uint64_t bytes = is_last ? kMaxFunctionBytes : symbols_[next].address - begin;
    if (ends_module) bytes = std::min(bytes, kPage - begin % kPage);
    symbol.bytes = std::min(bytes, kMaxFunctionBytes) & kMaxFunctionBytes;
  }
}

/// Of several symbols with one name, the first in the file is found.
void KernelSymbols::index_names() {
  by_name_ = NameIndex(symbols_.size());
  for (std::uint32_t i = 0; i < symbols_.size(); ++i) {
    std::uint32_t& place = by_name_.place(
        name(symbols_[i]), [this](std::uint32_t other) { return name(symbols_[other]); });
    if (place == NameIndex::kNone || symbols_[i].name < symbols_[place].name) place = i;
  }
}

std::optional<std::uint64_t> KernelSymbols::address(std::string_view wanted) const {
  const std::uint32_t found =
      by_name_.find(wanted, [this](std::uint32_t other) { return name(symbols_[other]); });
  return found == NameIndex::kNone ? std::nullopt : std::optional(symbols_[found].address);
}

std::optional<std::string> KernelSymbols::name_of(std::uint64_t address) const {
  const auto end = symbols_.begin() + static_cast<std::ptrdiff_t>(functions_);
  auto after = std::upper_bound(
      symbols_.begin(), end, address,
      [](std::uint64_t wanted, const Symbol& symbol) { return wanted < symbol.address; });
  if (after == symbols_.begin()) return std::nullopt;
  const Symbol& function = *--after;
  if (address - function.address >= function.bytes) return std::nullopt;
  std::array<char, 16> digits;
  const auto [last, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), address - function.address, 16);
  return std::string(name(function)) + "+0x" + std::string(digits.data(), last);
}

void KernelSymbols::keep_functions() {
  by_name_ = NameIndex();
  symbols_.resize(functions_);
  symbols_.shrink_to_fit();
  std::string names;
  for (Symbol& function : symbols_) {
    const std::string_view text = name(function);
    function.name = static_cast<std::uint32_t>(names.size());
    names += text;
  }
  names.shrink_to_fit();
  names_ = std::move(names);
}

}  // namespace physmem::collect
