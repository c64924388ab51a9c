// SPDX-License-Identifier: MIT
#include "analyzer/parse/mapping_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "analyzer/parse/hex_digits.h"

namespace physmem {
namespace {

/// Longer than any entry can be: three hex fields, twenty decimal digits, and generous blanks.
constexpr std::size_t kMaxEntry = 160;

/// The end of the entry that begins at `text`: past its '|', or at the newline. npos when neither is there.
std::size_t entry_end(std::string_view text) {
  text = text.substr(0, kMaxEntry);
  const std::size_t newline = text.find('\n');
  const std::size_t bar = text.substr(0, newline).find('|');
  return bar != std::string_view::npos ? bar + 1 : newline;
}

constexpr std::size_t kShortDecimal = 9;  ///< digits

/// A number of 1 to kShortDecimal digits.
std::uint64_t short_decimal(const char* at, std::size_t digits, bool& valid) {
  valid &= digits - 1 < kShortDecimal;
  std::uint64_t value = 0;
  for (std::size_t i = 0; valid && i < digits; ++i) {
    const std::uint64_t digit = static_cast<unsigned char>(at[i]) - std::uint64_t{'0'};
    valid = digit <= 9;
    value = value * 10 + digit;
  }
  return value;
}

}  // namespace

MappingScanner::Stop MappingScanner::scan(std::string_view& text, bool is_final, PageBatch& batch) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto stop = [&](Stop why) {
    text.remove_prefix(static_cast<std::size_t>(at - text.data()));
    return why;
  };
  if (batch.size == 0) rows_ = 0;
  at = take_alike(at, end, batch);
  while (true) {
    if (is_full(batch)) return stop(Stop::kBatchFull);
    if (at != end && *at == '\n') return stop(Stop::kLineEnd);
    if (learn(at, end))
      if (const char* const next = take_alike(at, end, batch); next != at) {
        at = next;
        continue;
      }
    while (at != end && *at == ' ') ++at;
    if (at == end) return stop(is_final ? Stop::kLineEnd : Stop::kNeedMore);
    if (*at == '\n') return stop(Stop::kLineEnd);
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    std::size_t length = entry_end(rest);
    if (length == std::string_view::npos) {
      if (!is_final && rest.size() < kMaxEntry) return stop(Stop::kNeedMore);
      length = std::min(rest.size(), kMaxEntry);
    }
    note(batch, at, length);
    if (!read_carefully(rest.substr(0, length), batch)) return stop(Stop::kFlaw);
    at = take_alike(at + length, end, batch);
  }
}

/// The entries at the front that look like the last one; gives back the first place that does not.
const char* MappingScanner::take_alike(const char* at, const char* end, PageBatch& batch) {
  std::array<std::uint64_t, kAtOnce> va;
  std::array<std::uint64_t, kAtOnce> value;
  while (shape_.length != 0 && !is_full(batch)) {
    const std::size_t n = reader_.take(at, end, shape_, va.data(), value.data(), kAtOnce);
    if (n == 0) break;
    note(batch, at + 1, shape_.length);
    at += n * shape_.length;
    std::uint64_t ends = reader_.run_ends(va.data(), value.data(), n, page_bytes_);
    auto behind = static_cast<std::size_t>(std::countr_zero(ends)) + 1;
    batch.add({va[0], value[0], behind, shape_.count, shape_.flags}, page_bytes_);
    while ((ends &= ends - 1) != 0) {
      const std::size_t first = std::exchange(behind, static_cast<std::size_t>(std::countr_zero(ends)) + 1);
      batch.add_apart({va[first], value[first], behind - first, shape_.count, shape_.flags});
    }
    if (n < kAtOnce) break;
  }
  return at;
}

/// What the entry at hand looks like, by where its separators are. Use counts change, runs of frames end and addresses
/// get another digit often enough that the careful reader would cost as much as all that is taken at once. The digits
/// of the addresses are not looked at: take_alike() will.
bool MappingScanner::learn(const char* at, const char* end) {
  if (static_cast<std::size_t>(end - at) < kMaxEntry || *at != ' ') return false;
  const Separators found = reader_.find(at);
  const auto equals = static_cast<std::size_t>(std::countr_zero(found.equals));
  const auto comma = static_cast<std::size_t>(std::countr_zero(found.commas));
  const auto second = static_cast<std::size_t>(std::countr_zero(found.commas & (found.commas - 1)));
  const auto bar = static_cast<std::size_t>(std::countr_zero(found.bars));
  const bool is_ordered = 1 < equals && equals + 1 < comma && comma < second && second + 3 < bar && bar < 64;
  if (!is_ordered || at[comma + 1] != ' ' || at[second + 1] != ' ' || at[bar - 1] != ' ') return false;
  EntryShape next;
  next.length = bar + 1;
  next.va_width = equals - 1;
  next.value_width = comma - equals - 1;
  const std::size_t flags_width = bar - second - 3;
  if (std::max({next.va_width, next.value_width, flags_width}) > kMaxHexDigits) return false;
  bool valid = next.length - next.value_end() <= EntryShape::kMaxTail;
  next.count = short_decimal(at + comma + 2, second - comma - 2, valid);
  next.flags = decode_hex(at + bar - 1, flags_width, valid);
  if (!valid) return false;
  std::memcpy(next.text.data(), at, next.text.size());
  shape_ = next;
  return true;
}

/// The next entry of the batch begins at `at`.
void MappingScanner::note(const PageBatch& batch, const char* at, std::size_t length) {
  row_[rows_++] = {batch.pages, at, length};
}

const char* MappingScanner::entry(std::uint64_t i) const {
  const auto behind = std::upper_bound(row_.begin(), row_.begin() + static_cast<std::ptrdiff_t>(rows_), i,
                                       [](std::uint64_t index, const Row& row) { return index < row.first; });
  const Row& row = *std::prev(behind);
  return row.at + (i - row.first) * row.length;
}

bool MappingScanner::read_carefully(std::string_view entry, PageBatch& batch) {
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
  std::uint64_t address = 0;
  if (!parse_hex(va, address)) return fail(0, "virtual address", va, "a hexadecimal number below 2^64");

  LineCursor fields(entry, false);
  fields.seek(equals + 1);
  const std::uint64_t value = fields.hex("page-table value");
  const std::uint64_t count = fields.dec("use count");
  const std::uint64_t flags = fields.hex("page flags");
  fields.expect_end();
  if (!fields.ok()) {
    flaw_ = fields.flaw();
    return false;
  }
  // Without its end the entry may have been cut in the middle of a number.
  if (!has_end) return fail(entry.size(), "end of the entry", {}, "|");
  batch.add({address, value, 1, count, flags}, page_bytes_);
  return true;
}

}  // namespace physmem
