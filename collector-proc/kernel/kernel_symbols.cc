// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/kernel_symbols.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "collector-proc/text_cursor.h"

extern "C" {
#include "kernel-image/layout.h"
}

namespace physmem::collect {

namespace {

constexpr std::size_t kMaxNameBytes = (1u << 9) - 1;
constexpr std::uint64_t kMaxFunctionBytes = (1u << 23) - 1;
constexpr std::uint64_t kPage = 4096;  // the smallest
/// As many as most kernels have, so that nothing is copied. What is not used takes no memory.
constexpr std::size_t kRoomForSymbols = std::size_t{1} << 18, kRoomForNames = std::size_t{6} << 20;

/// As nm has them: text, global or not, and weak.
bool is_function(std::string_view type) {
  return type.size() == 1 && std::string_view("tTwW").find(type[0]) != std::string_view::npos;
}

}  // namespace

KernelSymbols::KernelSymbols(const std::vector<std::string_view>& wanted) {
  for (const std::string_view name : wanted) addresses_.emplace(name, 0);
  functions_.reserve(kRoomForSymbols);
  names_.reserve(kRoomForNames);
}

KernelSymbols::KernelSymbols(std::string_view text, const std::vector<std::string_view>& wanted)
    : KernelSymbols(wanted) {
  add_lines(text);
  finish();
}

/// Piece by piece: the file has 5 to 15 MB.
KernelSymbols KernelSymbols::read(const ProcTree& tree,
                                  const std::vector<std::string_view>& wanted) {
  KernelSymbols symbols(wanted);
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
      modules_.push_back(static_cast<std::uint32_t>(names_.size()));
    }
    Symbol symbol;
    symbol.address = *address;
    symbol.name = static_cast<std::uint32_t>(names_.size());
    if (is_function(type)) {
      symbol.length = name.size() & kMaxNameBytes;
      names_ += name;
    }
    functions_.push_back(symbol);
    const auto wanted = addresses_.find(name);
    if (wanted != addresses_.end() && wanted->second == 0) wanted->second = *address;
  }
}

void KernelSymbols::finish() {
  std::sort(functions_.begin(), functions_.end(), [](const Symbol& a, const Symbol& b) {
    return a.address != b.address ? a.address < b.address : a.name < b.name;
  });
  find_ends();
  std::erase_if(functions_, [](const Symbol& symbol) { return symbol.length == 0; });
}

/// 0: of the kernel itself.
std::size_t KernelSymbols::module_of(const Symbol& symbol) const {
  const auto after = std::upper_bound(modules_.begin(), modules_.end(), symbol.name);
  return static_cast<std::size_t>(after - modules_.begin());
}

/// A function ends where the next symbol begins. After the last function of a module there may be
/// its initialisation code, which is freed and has no symbols. But code ends with a page.
void KernelSymbols::find_ends() {
  for (std::size_t i = functions_.size(), next = i; i-- > 0;) {
    Symbol& symbol = functions_[i];
    const std::uint64_t begin = symbol.address;
    if (i + 1 < functions_.size() && functions_[i + 1].address != begin) next = i + 1;
    if (symbol.length == 0) continue;
    const bool is_last = next == functions_.size();
    const std::size_t module = modules_.empty() ? 0 : module_of(symbol);
    const bool ends_module = module != 0 && (is_last || functions_[next].length == 0 ||
                                             module_of(functions_[next]) != module);
    std::uint64_t bytes = is_last ? kMaxFunctionBytes : functions_[next].address - begin;
    if (ends_module) bytes = std::min(bytes, kPage - begin % kPage);
    symbol.bytes = std::min(bytes, kMaxFunctionBytes) & kMaxFunctionBytes;
  }
}

std::optional<std::uint64_t> KernelSymbols::address(std::string_view wanted) const {
  const auto found = addresses_.find(wanted);
  return found == addresses_.end() || found->second == 0 ? std::nullopt
                                                         : std::optional(found->second);
}

std::optional<std::string> KernelSymbols::name_of(std::uint64_t address) const {
  auto after = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](std::uint64_t wanted, const Symbol& symbol) { return wanted < symbol.address; });
  if (after == functions_.begin()) return std::nullopt;
  const Symbol& function = *--after;
  if (address - function.address >= function.bytes) return std::nullopt;
  std::array<char, 16> digits;
  const auto [last, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), address - function.address, 16);
  return std::string(name(function)) + "+0x" + std::string(digits.data(), last);
}

std::vector<std::string_view> layout_symbols() {
  std::vector<std::string_view> names;
  for (TextCursor rest(pm_symbol_names()); !rest.at_end();) names.push_back(rest.until('|'));
  return names;
}

}  // namespace physmem::collect
