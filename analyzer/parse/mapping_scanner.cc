// SPDX-License-Identifier: MIT
#include "analyzer/parse/mapping_scanner.h"

#include <fmt/format.h>

#include <cstring>

#include "analyzer/parse/hex_digits.h"

namespace physmem {
namespace {

/// Longer than any entry can be: three hex fields, twenty decimal digits, and generous blanks.
constexpr std::size_t kMaxEntry = 160;

bool is_pair(const char* at, char first, char second) {
  return at[0] == first && at[1] == second;
}

/// The end of the entry that begins at `text`: past its '|', or at the newline. npos when neither is there.
std::size_t entry_end(std::string_view text) {
  text = text.substr(0, kMaxEntry);
  const std::size_t newline = text.find('\n');
  const std::size_t bar = text.substr(0, newline).find('|');
  return bar != std::string_view::npos ? bar + 1 : newline;
}

/// How many characters stand before `separator`, at most kMaxHexDigits; 0 when it is not among them.
std::size_t width_before(const char* at, char separator) {
  const void* const found = std::memchr(at, separator, kMaxHexDigits + 1);
  return found == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(found) - at);
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
    at = guess(at, end, batch);
    if (batch.full()) return stop(Stop::kBatchFull);
    if (at != end && *at == '\n') return stop(Stop::kLineEnd);
    if (measure(at, end))
      if (const char* const next = guess(at, end, batch); next != at) {
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

/// Takes entries as long as they look like the one before; gives back the first place that does not. All
/// state is local: the compiler must assume that a store into the batch changes whatever is reached through a
/// pointer.
const char* MappingScanner::guess(const char* at, const char* end, PageBatch& batch) {
  const auto [va_width, value_width, flags_width] = widths_;
  // The blank before, '=', ", N…, " and " |", with a count of nine digits, which is as many as are read here.
  const std::size_t longest = 1 + va_width + 1 + value_width + 2 + 9 + 2 + flags_width + 2;
  std::size_t i = batch.size;
  while (va_width != 0 && i < PageBatch::kCapacity && static_cast<std::size_t>(end - at) >= longest) {
    const char* const va_end = at + 1 + va_width;
    const char* const value_end = va_end + 1 + value_width;
    const char* digit = value_end + 2;
    std::uint64_t count = static_cast<unsigned char>(*digit) - std::uint64_t{'0'};
    if (*at != ' ' || *va_end != '=' || !is_pair(value_end, ',', ' ') || count > 9) break;
    for (int more = 0; more < 8; ++more) {
      const std::uint64_t next = static_cast<unsigned char>(*++digit) - std::uint64_t{'0'};
      if (next > 9) break;
      count = count * 10 + next;
    }
    const char* const flags_end = digit + 2 + flags_width;
    if (!is_pair(digit, ',', ' ') || !is_pair(flags_end, ' ', '|')) break;
    bool valid = true;
    batch.va[i] = decode_hex(va_end, va_width, valid);
    batch.value[i] = decode_hex(value_end, value_width, valid);
    batch.flags[i] = decode_hex(flags_end, flags_width, valid);
    batch.count[i] = count;
    if (!valid) break;
    starts_[i] = at + 1;
    at = flags_end + 2;
    ++i;
  }
  batch.size = i;
  return at;
}

/// After a wrong guess: the widths of the entry at hand, by where its separators are. Runs of frames end, and
/// their addresses have more or fewer digits, often enough that the careful reader would cost as much as all
/// right guesses.
bool MappingScanner::measure(const char* at, const char* end) {
  if (static_cast<std::size_t>(end - at) < kMaxEntry) return false;
  const std::size_t va = width_before(at + 1, '=');
  const char* const value_at = at + 1 + va + 1;
  const std::size_t value = width_before(value_at, ',');
  const std::size_t count = width_before(value_at + value + 2, ',');
  const std::size_t flags = width_before(value_at + value + 2 + count + 2, ' ');
  if (va == 0 || value == 0 || count == 0 || flags == 0) return false;
  widths_ = {va, value, flags};
  return true;
}

bool MappingScanner::read_carefully(std::string_view entry, PageBatch& batch) {
  const std::size_t i = batch.size;
  const auto fail = [&](std::size_t at, const char* what, std::string_view found, const char* expected) {
    flaw_ = {at + 1, fmt::format("{}: found {}, expected {}", what, quoted(found), expected)};
    return false;
  };
  const bool has_end = entry.ends_with('|');
  if (has_end) entry.remove_suffix(1);
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
  // Without its end the entry may have been cut in the middle of a number.
  if (!has_end) return fail(entry.size(), "end of the entry", {}, "|");
  batch.size = i + 1;
  return true;
}

}  // namespace physmem
