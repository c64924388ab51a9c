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

}  // namespace

Status SnapshotReader::mappings(Events& events) {
  if (!area_) return lines_.problem(1, "M: without a V: before it");
  if (const auto flaw = area_->begin_mappings()) return lines_.flawed('M', *flaw);
  lines_.window().advance(2);
  batch_.kinds = kinds_of(header_);
  read_ahead();
  while (true) {
    if (Status status = scan_mappings(events); !status) return status;
    const auto more = lines_.continue_list();
    if (!more) return more.error();
    if (!*more) return {};
  }
}

/// Reads the entries up to the end of the line.
Status SnapshotReader::scan_mappings(Events& events) {
  while (true) {
    while (take_ahead(events)) continue;
    const auto has_predecoded = take_predecoded(events);
    if (!has_predecoded) return has_predecoded.error();
    if (*has_predecoded) continue;
    std::string_view text = lines_.window().text();
    if (ahead_)
      text = text.substr(0, ahead_->retry_at(lines_.window().offset()) - lines_.window().offset());
    if (predecoded_ != nullptr)
      text = text.substr(0, predecoded_->next() - lines_.window().offset());
    const std::size_t size = text.size();
    const bool is_all = size == lines_.window().text().size();
    const auto stop = scanner_.scan(text, is_all && lines_.window().at_end(), batch_);
    std::uint64_t entry = 0;
    const auto column = [&](const PageRun&) {
      return lines_.window().column(scanner_.entry(entry++));
    };
    if (Status status = flush(column, events); !status) return status;
    lines_.window().advance(size - text.size());
    switch (stop) {
      case MappingScanner::Stop::kBatchFull:
        break;
      case MappingScanner::Stop::kLineEnd:
        if (text.empty() && header_.version >= 2)
          return lines_.problem(lines_.window().column(text.data()),
                                "the file ends within a line: it was cut short");
        return {};
      case MappingScanner::Stop::kNeedMore:
        if (!is_all) break;  // the next entries may be predecoded
        if (const auto more = lines_.window().fill(); !more) return more.error();
        break;
      case MappingScanner::Stop::kFlaw:
        return lines_.problem(lines_.window().column(text.data()) + scanner_.flaw().column - 1,
                              "M: " + scanner_.flaw().text);
    }
  }
}

/// Starts the threads that read the entries of a long file ahead.
void SnapshotReader::read_ahead() {
  if (options_.jobs < 2 || lines_.window().whole().size() < 8 * options_.chunk) return;
  const PageKinds kinds = kinds_of(header_);
  if (ahead_ && ahead_->kinds() == kinds) return;
  ahead_.reset();
  lines_.window().set_read_ahead();
  ahead_.emplace(lines_.window().whole(), lines_.window().offset(),
                 std::min(options_.jobs - 1, ParseAhead::kMaxThreads), kinds, options_.entries,
                 options_.chunk);
}

/// Takes the entries at the front if another thread has read them and they are valid. Otherwise
/// they are read again here, so that the error is the same as without threads.
bool SnapshotReader::take_ahead(Events& events) {
  if (!ahead_) return false;
  const ParseAhead::Piece piece = ahead_->at(lines_.window().offset());
  if (piece.runs.empty() || !area_->fits(piece.runs, piece.sums)) return false;
  const char* const next = lines_.window().text().data() + (piece.end - lines_.window().offset());
  // Only other processors have read this text. The lines that follow are needed next.
  for (std::ptrdiff_t i = 0; i < 256; i += 64) __builtin_prefetch(next + i);
  pass_on(piece.runs, piece.sums, events);
  lines_.window().advance(static_cast<std::size_t>(piece.end - lines_.window().offset()));
  return true;
}

/// Checks the batch against its area and passes it on, up to the first wrong entry. column(page):
/// column of the entry of that page.
template <class Column>
Status SnapshotReader::flush(Column column, Events& events) {
  if (batch_.size == 0) return {};
  Status status;
  if (!area_->fits(batch_.runs(), batch_.sums)) status = find_wrong(column);
  if (batch_.size != 0) pass_on(batch_.runs(), batch_.sums, events);
  batch_.clear();
  return status;
}

/// Takes the runs that the decoder delivered for this place. False if there are none.
Result<bool> SnapshotReader::take_predecoded(Events& events) {
  if (predecoded_ == nullptr) return false;
  const std::uint64_t bytes = predecoded_->take(lines_.window().offset(), batch_);
  if (batch_.size == 0) return false;
  std::uint64_t column =
      lines_.window().column(lines_.window().text().data()) + 1;  // after the blank
  lines_.window().count_predecoded(bytes);
  const auto pass = [&](const PageRun& page) {
    return std::exchange(column, column + entry_bytes(page));
  };
  if (Status status = flush(pass, events); !status) return status.error();
  return true;
}

void SnapshotReader::pass_on(std::span<const PageRun> runs, const PageSums& sums, Events& events) {
  area_->add(runs, sums);
  events.on_pages(runs, sums);
}

/// Finds the first wrong page of the batch, and keeps the pages before it.
template <class Column>
Status SnapshotReader::find_wrong(Column column) {
  const auto wrong = area_->find_misplaced(batch_.runs());
  if (!wrong) return {};
  std::uint64_t number = 0;
  std::uint64_t at = 0;
  for_each_page(batch_.runs(), header_.page_size.bytes, [&](const PageRun& page) {
    if (number++ <= wrong->page) at = column(page);
  });
  batch_.cut(wrong->page);
  return lines_.flawed('M', {at, wrong->text});
}

/// The next entry of an S: line without its '|'. Nothing at the newline.
Result<std::optional<std::string_view>> SnapshotReader::next_entry() {
  while (true) {
    lines_.window().advance(
        std::min(lines_.window().text().find_first_not_of(' '), lines_.window().text().size()));
    const std::string_view text = lines_.window().text();
    const std::string_view entry = text.substr(0, std::min(text.find_first_of("|\n"), kMaxEntry));
    if (text.starts_with('\n')) return std::optional<std::string_view>();
    const bool is_whole = entry.size() < text.size();
    if (is_whole && text[entry.size()] == '|') return std::optional(entry);
    if (is_whole || entry.size() == kMaxEntry) return not_swapped(entry);
    const auto more = lines_.window().fill();
    if (!more) return more.error();
    if (!*more)
      return lines_.problem(lines_.window().column(lines_.window().text().data()),
                            "the file ends within a line: it was cut short");
  }
}

Error SnapshotReader::not_swapped(std::string_view entry) {
  return lines_.problem(lines_.window().column(entry.data()),
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
  if (const auto flaw = area_->add(swap, lines_.window().column(entry.data())))
    return lines_.flawed('S', *flaw);
  return swap;
}

Status SnapshotReader::swapped(Events& events) {
  if (!area_) return lines_.problem(1, "S: without a V: and a P: before it");
  if (const auto flaw = area_->begin_swapped()) return lines_.flawed('S', *flaw);
  lines_.window().advance(2);
  while (true) {
    const auto entry = next_entry();
    if (!entry) return entry.error();
    if (*entry) {
      const auto swap = swap_entry(**entry);
      if (!swap) return swap.error();
      events.on_swapped({&*swap, 1});
      lines_.window().advance((*entry)->size() + 1);
      continue;
    }
    const auto more = lines_.continue_list();
    if (!more) return more.error();
    if (!*more) return {};
  }
}

}  // namespace physmem
