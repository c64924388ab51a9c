// SPDX-License-Identifier: MIT
#include "analyzer/parse/mapping_scanner.h"

#include <fmt/format.h>

#include <cstring>

#include "analyzer/parse/hex_digits.h"

namespace physmem {
namespace {

/// Longer than any entry can be: three hex fields, twenty decimal digits, and generous blanks.
constexpr std::size_t kMaxEntry = 160;

bool is_pair(const char* at, char first, char second) { return at[0] == first && at[1] == second; }

/// The end of the entry that begins at `text`: past its '|', or at the newline. npos when neither is there.
std::size_t entry_end(std::string_view text) {
  const std::size_t end = text.substr(0, kMaxEntry).find_first_of("|\n");
  return end != std::string_view::npos && text[end] == '|' ? end + 1 : end;
}

}  // namespace

MappingScanner::Stop MappingScanner::scan(std::string_view& text, bool is_final, PageBatch& batch) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto stop = [&](Stop why) {
    text.remove_prefix(static_cast<std::size_t>(at - text.data()));
    return why;
  };
  while (true) {
    if (batch.full()) return stop(Stop::kBatchFull);
    starts_[batch.size] = at;
    if (const char* next = guess(at, end, batch)) {
      at = next;
      continue;
    }
    while (at != end && *at == ' ') ++at;
    starts_[batch.size] = at;
    if (at == end) return stop(is_final ? Stop::kLineEnd : Stop::kNeedMore);
    if (*at == '\n') return stop(Stop::kLineEnd);
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    std::size_t length = entry_end(rest);
    if (length == std::string_view::npos) {
      if (!is_final && rest.size() < kMaxEntry) return stop(Stop::kNeedMore);
      length = std::min(rest.size(), kMaxEntry);
    }
    if (!read_carefully(rest.substr(0, length), batch)) return stop(Stop::kFlaw);
    at += length;
  }
}

/// Past the entry, or nullptr when it does not look like the one before.
inline const char* MappingScanner::guess(const char* at, const char* end, PageBatch& batch) {
  const auto [va_width, value_width, flags_width] = widths_;
  // The blank before, '=', ", N…, " and " |": with a count of one digit; a longer one is tested below.
  const std::size_t shortest = 1 + va_width + 1 + value_width + 2 + 1 + 2 + flags_width + 2;
  if (va_width == 0 || static_cast<std::size_t>(end - at) < shortest + 8) return nullptr;
  const char* const va_end = at + 1 + va_width;
  const char* const value_end = va_end + 1 + value_width;
  const char* digit = value_end + 2;
  std::uint64_t count = static_cast<unsigned char>(*digit) - std::uint64_t{'0'};
  bool valid = *at == ' ' && *va_end == '=' && is_pair(value_end, ',', ' ') && count <= 9;
  for (int more = 0; more < 8; ++more) {
    const std::uint64_t next = static_cast<unsigned char>(*++digit) - std::uint64_t{'0'};
    if (next > 9) break;
    count = count * 10 + next;
  }
  const char* const flags_end = digit + 2 + flags_width;
  valid = valid && is_pair(digit, ',', ' ') && is_pair(flags_end, ' ', '|');
  if (!valid || flags_end + 2 > end) return nullptr;
  const std::size_t i = batch.size;
  batch.va[i] = decode_hex(va_end, va_width, valid);
  batch.value[i] = decode_hex(value_end, value_width, valid);
  batch.count[i] = count;
  batch.flags[i] = decode_hex(flags_end, flags_width, valid);
  if (!valid) return nullptr;
  batch.size = i + 1;
  return flags_end + 2;
}

bool MappingScanner::read_carefully(std::string_view entry, PageBatch& batch) {
  const std::size_t i = batch.size;
  const char* const begin = entry.data();
  const auto fail = [&](std::size_t at, const char* what, std::string_view found, const char* expected) {
    flaw_ = {at + 1, fmt::format("{}: found {}, expected {}", what, quoted(found), expected)};
    return false;
  };
  if (entry.ends_with('|')) entry.remove_suffix(1);
  entry = entry.substr(0, entry.find_last_not_of(' ') + 1);
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) return fail(0, "page", entry, "VA=VALUE, COUNT, FLAGS |");
  const std::string_view va = entry.substr(0, equals);
  if (!parse_hex(va, batch.va[i])) return fail(0, "virtual address", va, "a hexadecimal number below 2^64");

  LineCursor fields(entry, false);
  fields.seek(equals + 1);
  batch.value[i] = fields.hex("page-table value");
  batch.count[i] = fields.dec("use count");
  batch.flags[i] = fields.hex("page flags");
  fields.expect_end();
  if (!fields.ok()) {
    flaw_ = fields.flaw();
    return false;
  }
  learn(std::string_view(begin, entry.size()), equals);
  batch.size = i + 1;
  return true;
}

/// The widths of an entry that was good, so that the next is guessed from it.
void MappingScanner::learn(std::string_view entry, std::size_t equals) {
  const std::size_t comma = entry.find(',', equals);
  const std::size_t last_blank = entry.rfind(' ');
  widths_ = {equals, comma - equals - 1, entry.size() - last_blank - 1};
  if (last_blank == std::string_view::npos || widths_.va > kMaxHexDigits || widths_.value > kMaxHexDigits ||
      widths_.flags > kMaxHexDigits || widths_.value == 0)
    widths_ = {};
}

}  // namespace physmem
