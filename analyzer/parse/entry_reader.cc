// SPDX-License-Identifier: MIT
// The part of SnapshotReader that reads M: and S: lines piece by piece, because they may have any
// length.
#include <fmt/format.h>

#include <utility>

#include "analyzer/parse/snapshot_reader.h"

#include "program/printable.h"

namespace physmem {
namespace {

/// Longer than any S: entry can be.
constexpr std::size_t kMaxEntry = 160;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

}  // namespace

/// Skips the newline of an M: or S: line. True if the next line continues with entries.
Result<bool> SnapshotReader::continues() {
  while (window_.text().size() < 3) {
    const auto more = window_.fill();
    if (!more) return more.error();
    if (!*more) break;
  }
  if (!window_.text().empty()) window_.next_line();
  const std::string_view next = window_.text();
  return next.size() >= 2 && is_hex(next[0]) && next[1] != ':';
}

Status SnapshotReader::mappings(Events& events) {
  if (!area_) return problem(1, "M: without a V: before it");
  if (!header_.has_pages) return problem(1, "M: found in a snapshot whose header says pages=none");
  // With keep_going, the P: line may have been dropped.
  if (!area_->counts && !area_->incomplete && header_.version >= 2)
    return problem(1, "M: without a P: before it");
  if (std::exchange(area_->has_mappings, true))
    return problem(1, "M: found a second one for the same area");
  window_.advance(2);
  batch_.kinds = kinds_of(header_);
  area_->after.reset();
  read_ahead();
  while (true) {
    if (Status status = scan_mappings(events); !status) return status;
    const auto more = continues();
    if (!more) return more.error();
    if (!*more) return {};
  }
}

/// Reads the entries up to the end of the line.
Status SnapshotReader::scan_mappings(Events& events) {
  while (true) {
    while (take_ahead(events)) continue;
    const auto has_known = take_known(events);
    if (!has_known) return has_known.error();
    if (*has_known) continue;
    std::string_view text = window_.text();
    if (ahead_) text = text.substr(0, ahead_->ask_again(window_.offset()) - window_.offset());
    if (known_ != nullptr) text = text.substr(0, known_->next() - window_.offset());
    const std::size_t size = text.size();
    const bool is_all = size == window_.text().size();
    const auto stop = scanner_.scan(text, is_all && window_.at_end(), batch_);
    std::uint64_t entry = 0;
    const auto column = [&](const PageRun&) { return window_.column(scanner_.entry(entry++)); };
    if (Status status = flush(column, events); !status) return status;
    window_.advance(size - text.size());
    switch (stop) {
      case MappingScanner::Stop::kBatchFull:
        break;
      case MappingScanner::Stop::kLineEnd:
        if (text.empty() && header_.version >= 2)
          return problem(window_.column(text.data()),
                         "the file ends within a line: it was cut short");
        return {};
      case MappingScanner::Stop::kNeedMore:
        if (!is_all) break;  // the next entries may be predecoded
        if (const auto more = window_.fill(); !more) return more.error();
        break;
      case MappingScanner::Stop::kFlaw:
        return problem(window_.column(text.data()) + scanner_.flaw().column - 1,
                       "M: " + scanner_.flaw().text);
    }
  }
}

/// Starts the threads that read the entries of a long file ahead.
void SnapshotReader::read_ahead() {
  if (options_.jobs < 2 || window_.whole().size() < 8 * options_.chunk) return;
  const PageKinds kinds = kinds_of(header_);
  if (ahead_ && ahead_->kinds() == kinds) return;
  ahead_.reset();
  window_.set_expected();
  ahead_.emplace(window_.whole(), window_.offset(),
                 std::min(options_.jobs - 1, ParseAhead::kMaxThreads), kinds, options_.entries,
                 options_.chunk);
}

/// Takes the entries at the front if another thread has read them and they are valid. Otherwise
/// they are read again here, so that the error is the same as without threads.
bool SnapshotReader::take_ahead(Events& events) {
  if (!ahead_) return false;
  const ParseAhead::Piece piece = ahead_->at(window_.offset());
  if (piece.runs.empty() || !fits(piece.runs, piece.sums)) return false;
  const char* const next = window_.text().data() + (piece.end - window_.offset());
  // Only other processors have read this text. The lines that follow are needed next.
  for (std::ptrdiff_t i = 0; i < 256; i += 64) __builtin_prefetch(next + i);
  pass_on(piece.runs, piece.sums, events);
  window_.advance(static_cast<std::size_t>(piece.end - window_.offset()));
  return true;
}

/// Checks the batch against its area and passes it on, up to the first wrong entry. column(page):
/// column of the entry of that page.
template <class Column>
Status SnapshotReader::flush(Column column, Events& events) {
  if (batch_.size == 0) return {};
  Status status;
  if (!fits(batch_.runs(), batch_.sums)) status = find_wrong(column);
  if (batch_.size != 0) pass_on(batch_.runs(), batch_.sums, events);
  batch_.clear();
  return status;
}

/// Takes the runs that the decoder delivered for this place. False if there are none.
Result<bool> SnapshotReader::take_known(Events& events) {
  if (known_ == nullptr) return false;
  const std::uint64_t bytes = known_->take(window_.offset(), batch_);
  if (batch_.size == 0) return false;
  std::uint64_t column = window_.column(window_.text().data()) + 1;  // after the blank
  window_.pass_beside(bytes);
  const auto pass = [&](const PageRun& page) {
    return std::exchange(column, column + entry_bytes(page));
  };
  if (Status status = flush(pass, events); !status) return status.error();
  return true;
}

/// Whether the runs lie in the area, after its last entry.
bool SnapshotReader::fits(std::span<const PageRun> runs, const PageSums& sums) const {
  const std::uint64_t page = header_.page_size.bytes;
  const bool is_behind = !area_->after || runs.front().va > *area_->after;
  return sums.is_ordered && is_behind && runs.front().va >= area_->start &&
         runs.back().va_behind(page) - page <= area_->last;
}

void SnapshotReader::pass_on(std::span<const PageRun> runs, const PageSums& sums, Events& events) {
  area_->after = runs.back().va_behind(header_.page_size.bytes) - header_.page_size.bytes;
  area_->single += sums.single;
  area_->shared += sums.shared;
  area_->listed += sums.pages;
  seen_.pages += sums.pages;
  events.on_pages(runs, sums);
}

/// Finds the first wrong page of the batch, and keeps the pages before it.
template <class Column>
Status SnapshotReader::find_wrong(Column column) {
  Status status;
  std::uint64_t good = 0;
  for_each_page(batch_.runs(), header_.page_size.bytes, [&](const PageRun& page) {
    if (!status) return;
    status = in_area(page.va, column(page), 'M');
    if (status) ++good;
  });
  if (!status) batch_.cut(good);
  return status;
}

Status SnapshotReader::in_area(std::uint64_t va, std::uint64_t column, char letter) {
  const char* wrong = nullptr;
  if ((va & (header_.page_size.bytes - 1)) != 0)
    wrong = "is not aligned to a page";
  else if (va < area_->start || va > area_->last)
    wrong = "lies outside its area";
  else if (area_->after && va <= *area_->after)
    wrong = "does not come after the entry before it";
  area_->after = va;
  if (wrong == nullptr) return {};
  return problem(column, fmt::format("{}: virtual address {:08X} {} ({:08X} to {:08X})", letter, va,
                                     wrong, area_->start, area_->last));
}

/// The next entry of an S: line without its '|'. Nothing at the newline.
Result<std::optional<std::string_view>> SnapshotReader::next_entry() {
  while (true) {
    window_.advance(std::min(window_.text().find_first_not_of(' '), window_.text().size()));
    const std::string_view text = window_.text();
    const std::string_view entry = text.substr(0, std::min(text.find_first_of("|\n"), kMaxEntry));
    if (text.starts_with('\n')) return std::optional<std::string_view>();
    const bool is_whole = entry.size() < text.size();
    if (is_whole && text[entry.size()] == '|') return std::optional(entry);
    if (is_whole || entry.size() == kMaxEntry) return not_swapped(entry);
    const auto more = window_.fill();
    if (!more) return more.error();
    if (!*more)
      return problem(window_.column(window_.text().data()),
                     "the file ends within a line: it was cut short");
  }
}

Error SnapshotReader::not_swapped(std::string_view entry) const {
  return problem(window_.column(entry.data()),
                 fmt::format("S: found {}, expected VA=DEVICE:SLOT |", quoted(entry)));
}

Result<SwapEntry> SnapshotReader::swap_entry(std::string_view entry) {
  const std::size_t equals = std::min(entry.find('='), entry.size());
  const std::size_t colon = std::min(entry.find(':', equals), entry.size());
  const std::string_view slot = entry.substr(std::min(colon + 1, entry.size()));
  SwapEntry swap;
  if (!parse_hex(entry.substr(0, equals), swap.va) || colon == entry.size() ||
      !parse_dec(entry.substr(equals + 1, colon - equals - 1), swap.type) ||
      !parse_hex(slot.substr(0, slot.find_last_not_of(' ') + 1), swap.slot))
    return not_swapped(entry);
  if (Status status = in_area(swap.va, window_.column(entry.data()), 'S'); !status)
    return status.error();
  return swap;
}

Status SnapshotReader::swapped(Events& events) {
  if (!area_ || (!area_->counts && !area_->incomplete))
    return problem(1, "S: without a V: and a P: before it");
  if (!header_.has_pages) return problem(1, "S: found in a snapshot whose header says pages=none");
  if (std::exchange(area_->has_swapped, true))
    return problem(1, "S: found a second one for the same area");
  area_->after.reset();
  window_.advance(2);
  while (true) {
    const auto entry = next_entry();
    if (!entry) return entry.error();
    if (*entry) {
      const auto swap = swap_entry(**entry);
      if (!swap) return swap.error();
      ++area_->swapped;
      ++seen_.swapped;
      events.on_swapped({&*swap, 1});
      window_.advance((*entry)->size() + 1);
      continue;
    }
    const auto more = continues();
    if (!more) return more.error();
    if (!*more) return {};
  }
}

}  // namespace physmem
