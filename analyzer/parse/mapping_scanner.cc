// SPDX-License-Identifier: MIT
#include "analyzer/parse/mapping_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "analyzer/parse/hex_digits.h"
#include "program/printable.h"

namespace physmem {
namespace {

/// Longer than any entry can be: three hex fields, twenty decimal digits, and generous blanks.
constexpr std::size_t kMaxMapping = 160;

/// The end of the entry that begins at `text`: after its '|', or at the newline. npos if neither is
/// found.
std::size_t entry_end(std::string_view text) {
  text = text.substr(0, kMaxMapping);
  const std::size_t newline = text.find('\n');
  const std::size_t bar = text.substr(0, newline).find('|');
  return bar != std::string_view::npos ? bar + 1 : newline;
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
  if (at != end && *at == '\n') return Stop::kLineEnd;
  at = take_uniform(at, end, batch);
  while (true) {
    if (is_full(batch)) return stop(Stop::kBatchFull);
    if (at != end && *at == '\n') return stop(Stop::kLineEnd);
    if (learn(at, end))
      if (const char* const next = take_uniform(at, end, batch); next != at) {
        at = next;
        continue;
      }
    while (at != end && *at == ' ') ++at;
    if (at == end) return stop(is_final ? Stop::kLineEnd : Stop::kNeedMore);
    if (*at == '\n') return stop(Stop::kLineEnd);
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    std::size_t length = entry_end(rest);
    if (length == std::string_view::npos) {
      if (!is_final && rest.size() < kMaxMapping) return stop(Stop::kNeedMore);
      length = std::min(rest.size(), kMaxMapping);
    }
    note(batch, at, length);
    if (!read_strictly(rest.substr(0, length), batch)) return stop(Stop::kFlaw);
    at = take_uniform(at + length, end, batch);
  }
}

/// Takes the entries at the front that have the learnt shape. Returns the start of the first that
/// does not.
const char* MappingScanner::take_uniform(const char* at, const char* end, PageBatch& batch) {
  while (shape_.length != 0 && !is_full(batch)) {
    const RunRoom room{batch.end(), batch.room(), kAtOnce, batch.kinds.page_bytes};
    const Taken taken = reader_.take(at, end, shape_, room);
    if (taken.entries == 0) break;
    note(batch, at + 1, shape_.length);
    at += taken.entries * shape_.length;
    room.run[taken.runs].pages = taken.entries;
    for (PageRun* run = room.run; run != room.run + taken.runs; ++run) {
      run->pages = run[1].pages - run->pages;
      run->count = shape_.count;
      run->flags = shape_.flags;
    }
    batch.add_written(taken.runs, taken.entries);
    if (taken.entries != room.entries && taken.runs != room.runs) break;
  }
  return at;
}

/// Learns the shape of the entry at `at` from the positions of its separators. Shapes change often:
/// with use counts, at the end of frame runs, when an address gets another digit. The strict path
/// would then cost as much as all uniform entries. The digits of the addresses are checked by
/// take_uniform().
bool MappingScanner::learn(const char* at, const char* end) {
  shape_.length = 0;
  if (static_cast<std::size_t>(end - at) < kMaxMapping || *at != ' ') return false;
  const Separators found = reader_.find(at, shape_.text.data());
  const auto equals = static_cast<std::size_t>(std::countr_zero(found.equals));
  const auto comma = static_cast<std::size_t>(std::countr_zero(found.commas));
  const auto second = static_cast<std::size_t>(std::countr_zero(found.commas & (found.commas - 1)));
  const auto bar = static_cast<std::size_t>(std::countr_zero(found.bars));
  const bool is_ordered =
      1 < equals && equals + 1 < comma && comma + 2 < second && second + 3 < bar && bar < 64;
  if (!is_ordered || at[comma + 1] != ' ' || at[second + 1] != ' ' || at[bar - 1] != ' ')
    return false;
  const std::size_t count_width = second - comma - 2;
  const std::size_t flags_width = bar - second - 3;
  shape_.va_width = equals - 1;
  shape_.value_width = comma - equals - 1;
  bool valid = shape_.va_width <= kMaxHexDigits && shape_.value_width <= kMaxHexDigits &&
               count_width <= 8 && flags_width <= kMaxHexDigits &&
               bar + 1 - shape_.value_end() <= EntryShape::kMaxTail;
  if (!valid) return false;
  shape_.count = decode_decimal(at + second, count_width, valid);
  shape_.flags = decode_hex(at + bar - 1, flags_width, valid);
  if (valid) shape_.length = bar + 1;
  return valid;
}

/// Records that the next entry of the batch begins at `at`.
void MappingScanner::note(const PageBatch& batch, const char* at, std::size_t length) {
  row_[rows_++] = {batch.sums.pages, at, length};
}

const char* MappingScanner::entry(std::uint64_t i) const {
  const auto after =
      std::upper_bound(row_.begin(), row_.begin() + static_cast<std::ptrdiff_t>(rows_), i,
                       [](std::uint64_t index, const Row& row) { return index < row.first; });
  const Row& row = *std::prev(after);
  return row.at + (i - row.first) * row.length;
}

bool MappingScanner::read_strictly(std::string_view entry, PageBatch& batch) {
  const auto fail = [&](std::size_t at, const char* what, std::string_view found,
                        const char* expected) {
    flaw_ = {at + 1, fmt::format("{}: found {}, expected {}", what, in_quotes(found), expected)};
    return false;
  };
  const bool has_end = entry.ends_with('|');
  if (has_end) entry.remove_suffix(1);
  entry = entry.substr(0, entry.find_last_not_of(' ') + 1);
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) return fail(0, "page", entry, "VA=VALUE, COUNT, FLAGS |");
  const std::string_view va = entry.substr(0, equals);
  std::uint64_t address = 0;
  if (!parse_hex(va, address))
    return fail(0, "virtual address", va, "a hexadecimal number below 2^64");

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
  batch.add({address, value, 1, count, flags});
  return true;
}

}  // namespace physmem
