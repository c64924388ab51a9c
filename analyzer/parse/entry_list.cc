// SPDX-License-Identifier: MIT
#include "analyzer/parse/entry_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program/printable.h"

namespace physmem {
namespace {

/// Longer than any S: entry can be.
constexpr std::size_t kMaxSwapEntry = 160;

constexpr const char* kCutShort = "the file ends within a line: it was cut short";

}  // namespace

Status EntryList::mappings(AreaEntries& area, const Header& header, Events& events) {
  if (const auto flaw = area.begin_mappings()) return lines_.flawed('M', *flaw);
  lines_.window().advance(2);
  batch_.kinds = kinds_of(header);
  read_ahead(batch_.kinds);
  const Target to{area, header, events};
  while (true) {
    if (Status status = scan(to); !status) return status;
    const auto more = lines_.continue_list();
    if (!more) return more.error();
    if (!*more) return {};
  }
}

/// Reads the entries up to the end of the line.
Status EntryList::scan(const Target& to) {
  Window& window = lines_.window();
  while (true) {
    while (take_ahead(to)) continue;
    const auto has_predecoded = take_predecoded(to);
    if (!has_predecoded) return has_predecoded.error();
    if (*has_predecoded) continue;
    std::string_view text = text_to_scan();
    const std::size_t size = text.size();
    const bool is_all = size == window.text().size();
    const auto stop = scanner_.scan(text, is_all && window.at_end(), batch_);
    std::uint64_t entry = 0;
    const auto column = [&](const PageRun&) { return window.column(scanner_.entry(entry++)); };
    if (Status status = flush(column, to); !status) return status;
    window.advance(size - text.size());
    switch (stop) {
      case MappingScanner::Stop::kBatchFull:
        break;
      case MappingScanner::Stop::kLineEnd:
        if (text.empty() && to.header.version >= 2)
          return lines_.problem(window.column(text.data()), kCutShort);
        return {};
      case MappingScanner::Stop::kNeedMore:
        if (!is_all) break;  // the next entries may be predecoded
        if (const auto more = window.fill(); !more) return more.error();
        break;
      case MappingScanner::Stop::kFlaw:
        return lines_.problem(window.column(text.data()) + scanner_.flaw().column - 1,
                              "M: " + scanner_.flaw().text);
    }
  }
}

/// The text at the front, up to entries that come from elsewhere.
std::string_view EntryList::text_to_scan() {
  const Window& window = lines_.window();
  std::string_view text = window.text();
  if (ahead_) text = text.substr(0, ahead_->retry_at(window.offset()) - window.offset());
  if (predecoded_ != nullptr) text = text.substr(0, predecoded_->next() - window.offset());
  return text;
}

/// Starts the threads that read the entries of a long file ahead.
void EntryList::read_ahead(const PageKinds& kinds) {
  if (options_.jobs < 2 || lines_.window().whole().size() < 8 * options_.chunk) return;
  if (ahead_ && ahead_->kinds() == kinds) return;
  ahead_.reset();
  lines_.window().set_read_ahead();
  ahead_.emplace(lines_.window().whole(), lines_.window().offset(),
                 std::min(options_.jobs - 1, ParseAhead::kMaxThreads), kinds, options_.entries,
                 options_.chunk);
}

/// Takes the entries at the front if another thread has read them and they are valid. Otherwise
/// they are read again here, so that the error is the same as without threads.
bool EntryList::take_ahead(const Target& to) {
  if (!ahead_) return false;
  Window& window = lines_.window();
  const ParseAhead::Piece piece = ahead_->at(window.offset());
  if (piece.runs.empty() || !to.area.fits(piece.runs, piece.sums)) return false;
  const char* const next = window.text().data() + (piece.end - window.offset());
  // Only other CPUs have read this text. The lines that follow are needed next.
  for (std::ptrdiff_t i = 0; i < 256; i += 64) __builtin_prefetch(next + i);
  to.take(piece.runs, piece.sums);
  window.advance(static_cast<std::size_t>(piece.end - window.offset()));
  return true;
}

/// Checks the batch against its area and passes it on, up to the first wrong entry. column(page):
/// column of the entry of that page.
template <class Column>
Status EntryList::flush(Column column, const Target& to) {
  if (batch_.size == 0) return {};
  Status status;
  if (!to.area.fits(batch_.runs(), batch_.sums)) status = find_wrong(column, to);
  if (batch_.size != 0) to.take(batch_.runs(), batch_.sums);
  batch_.clear();
  return status;
}

/// Takes the runs that the decoder delivered for this place. False if there are none.
Result<bool> EntryList::take_predecoded(const Target& to) {
  if (predecoded_ == nullptr) return false;
  Window& window = lines_.window();
  const std::uint64_t bytes = predecoded_->take(window.offset(), batch_);
  if (batch_.size == 0) return false;
  std::uint64_t column = window.column(window.text().data()) + 1;  // after the blank
  window.count_predecoded(bytes);
  const auto pass = [&](const PageRun& page) {
    return std::exchange(column, column + entry_bytes(page));
  };
  if (Status status = flush(pass, to); !status) return status.error();
  return true;
}

/// Finds the first wrong page of the batch, and keeps the pages before it.
template <class Column>
Status EntryList::find_wrong(Column column, const Target& to) {
  const auto wrong = to.area.find_misplaced(batch_.runs());
  if (!wrong) return {};
  std::uint64_t number = 0;
  std::uint64_t at = 0;
  for_each_page(batch_.runs(), to.header.page_size.bytes, [&](const PageRun& page) {
    if (number++ <= wrong->page) at = column(page);
  });
  batch_.cut(wrong->page);
  return lines_.flawed('M', {at, wrong->text});
}

/// The next entry of an S: line without its '|'. Nothing at the newline.
Result<std::optional<std::string_view>> EntryList::next_swapped() {
  while (true) {
    lines_.window().advance(
        std::min(lines_.window().text().find_first_not_of(' '), lines_.window().text().size()));
    const std::string_view text = lines_.window().text();
    const std::string_view entry =
        text.substr(0, std::min(text.find_first_of("|\n"), kMaxSwapEntry));
    if (text.starts_with('\n')) return std::optional<std::string_view>();
    const bool is_whole = entry.size() < text.size();
    if (is_whole && text[entry.size()] == '|') return std::optional(entry);
    if (is_whole || entry.size() == kMaxSwapEntry) return not_swapped(entry);
    const auto more = lines_.window().fill();
    if (!more) return more.error();
    if (!*more)
      return lines_.problem(lines_.window().column(lines_.window().text().data()), kCutShort);
  }
}

Error EntryList::not_swapped(std::string_view entry) const {
  return lines_.problem(lines_.window().column(entry.data()),
                        fmt::format("S: found {}, expected VA=DEVICE:SLOT |", in_quotes(entry)));
}

Result<SwapEntry> EntryList::swap_entry(std::string_view entry, AreaEntries& area) {
  const std::size_t equals = std::min(entry.find('='), entry.size());
  const std::size_t colon = std::min(entry.find(':', equals), entry.size());
  const std::string_view slot = entry.substr(std::min(colon + 1, entry.size()));
  SwapEntry swap;
  if (!parse_hex(entry.substr(0, equals), swap.va) || colon == entry.size() ||
      !parse_dec(entry.substr(equals + 1, colon - equals - 1), swap.type) ||
      !parse_hex(slot.substr(0, slot.find_last_not_of(' ') + 1), swap.slot))
    return not_swapped(entry);
  if (const auto flaw = area.add(swap, lines_.window().column(entry.data())))
    return lines_.flawed('S', *flaw);
  return swap;
}

Status EntryList::swapped(AreaEntries& area, Events& events) {
  if (const auto flaw = area.begin_swapped()) return lines_.flawed('S', *flaw);
  lines_.window().advance(2);
  while (true) {
    const auto entry = next_swapped();
    if (!entry) return entry.error();
    if (*entry) {
      const auto swap = swap_entry(**entry, area);
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
