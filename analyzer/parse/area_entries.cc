// SPDX-License-Identifier: MIT
#include "analyzer/parse/area_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/parse/record_parser.h"

namespace physmem {

/// A second P: may follow the lists of an area that changed while it was read. (Empty lists are
/// left out.) The lists are then authoritative.
PageCounts AreaEntries::read_counts(LineCursor& line, std::uint64_t number) {
  const bool is_second = counts_ && has_pages_ && version_ >= 2;
  if (counts_ && (!is_second || is_recounted_))
    line.fail(0, "found a second one for the same area");
  const PageCounts counts = parse_counts(line, version_);
  if (line.ok()) check_counts(line, counts, is_second);
  if (!line.ok()) return counts;
  counts_ = counts;
  is_recounted_ = is_second;
  counts_line_ = number;
  return counts;
}

void AreaEntries::check_counts(LineCursor& line, const PageCounts& counts, bool is_second) const {
  const std::uint64_t pages = page_size_.pages(last_ - start_);
  if (std::max({counts.user, counts.swapped, counts.unlisted}) > pages)
    line.fail(3, fmt::format("found {} user, {} swapped and {} unlisted pages in an area of {}",
                             counts.user, counts.swapped, counts.unlisted, pages));
  else if (std::max({counts.executable, counts.read_only, counts.single_use, counts.shared}) >
               counts.user ||
           counts.single_use > counts.user - counts.shared)
    line.fail(
        3, fmt::format(
               "found {} executable, {} read-only, {} single-use and {} shared of only {} pages",
               counts.executable, counts.read_only, counts.single_use, counts.shared, counts.user));
  else if (version_ >= 2 && !is_second && counts.user << page_size_.shift() != resident_)
    line.fail(
        3, fmt::format("found {} pages, expected {:08X} bytes as in V:", counts.user, resident_));
}

std::optional<Flaw> AreaEntries::begin_mappings() {
  if (!has_pages_) return Flaw{1, "found in a snapshot whose header says pages=none"};
  // With keep_going, the P: line may have been dropped.
  if (!counts_ && !is_incomplete_ && version_ >= 2) return Flaw{1, "without a P: before it"};
  if (std::exchange(has_mappings_, true)) return Flaw{1, "found a second one for the same area"};
  after_.reset();
  return {};
}

std::optional<Flaw> AreaEntries::begin_swapped() {
  if (!counts_ && !is_incomplete_) return Flaw{1, "without a V: and a P: before it"};
  if (!has_pages_) return Flaw{1, "found in a snapshot whose header says pages=none"};
  if (std::exchange(has_swapped_, true)) return Flaw{1, "found a second one for the same area"};
  after_.reset();
  return {};
}

const char* AreaEntries::wrong_place(std::uint64_t va, std::optional<std::uint64_t> after) const {
  if ((va & (page_size_.bytes - 1)) != 0) return "is not aligned to a page";
  if (va < start_ || va > last_) return "lies outside its area";
  if (after && va <= *after) return "does not come after the entry before it";
  return nullptr;
}

std::string AreaEntries::misplaced(std::uint64_t va, const char* why) const {
  return fmt::format("virtual address {:08X} {} ({:08X} to {:08X})", va, why, start_, last_);
}

std::optional<Misplaced> AreaEntries::find_misplaced(std::span<const PageRun> runs) const {
  std::optional<Misplaced> found;
  std::optional<std::uint64_t> after = after_;
  std::uint64_t number = 0;
  for_each_page(runs, page_size_.bytes, [&](const PageRun& page) {
    if (found) return;
    if (const char* const why = wrong_place(page.va, after); why != nullptr)
      found = Misplaced{number, misplaced(page.va, why)};
    after = page.va;
    ++number;
  });
  return found;
}

std::optional<Flaw> AreaEntries::add(const SwapEntry& entry, std::uint64_t column) {
  if (const char* const why = wrong_place(entry.va, after_); why != nullptr)
    return Flaw{column, misplaced(entry.va, why)};
  after_ = entry.va;
  ++swapped_;
  return {};
}

bool AreaEntries::set_incomplete() {
  return !std::exchange(is_incomplete_, true);
}

bool AreaEntries::is_miscounted() const {
  return !is_incomplete_ && counts_ && has_pages_ && !agrees();
}

std::optional<Flaw> AreaEntries::check() const {
  if (is_incomplete_ || version_ == 1) return {};
  if (!counts_)
    return Flaw{1, fmt::format("area {:08X}: expected its P: line before this", start_)};
  if (!has_pages_) return {};
  if (!agrees())
    return Flaw{
        1, fmt::format(
               "area {:08X}: P: on line {}: found {} pages and {} swapped, expected {} and {} as "
               "in M: and S:",
               start_, counts_line_, counts_->user, counts_->swapped, listed_, swapped_)};
  if (single_ != counts_->single_use || shared_ != counts_->shared)
    return Flaw{
        1,
        fmt::format("area {:08X}: P: on line {}: found {} single-use and {} shared pages, expected "
                    "{} and {} as in M:",
                    start_, counts_line_, counts_->single_use, counts_->shared, single_, shared_)};
  return {};
}

}  // namespace physmem
