// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/unit_map.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr std::uint64_t kShown =
    PM_VMA_READ | PM_VMA_WRITE | PM_VMA_EXEC | PM_VMA_SHARED | PM_VMA_EXECUTABLE | PM_VMA_BSS;

/// Whether the area is the bss of a unit: it has flag B, and its owner is another area's unit.
bool is_bss_of_unit(const Area& area) {
  return (area.marks.flags & PM_VMA_BSS) != 0 && area.vma.unit.empty() && !area.marks.file.empty();
}

/// For each value of a cell, a chunk filled with it.
constexpr auto kUniform = [] {
  std::array<std::array<std::uint8_t, 512>, 12> uniform{};
  for (std::size_t i = 0; i < uniform.size(); ++i) uniform[i].fill(static_cast<std::uint8_t>(i));
  return uniform;
}();

/// Raises cells below `least` to it. Returns how many were 0. Fast for shared pages, whose cells
/// mostly have the value already.
std::uint64_t raise(std::span<std::uint8_t> cells, std::uint8_t least) {
  if (std::memcmp(cells.data(), kUniform[least].data(), cells.size()) == 0) return 0;
  const auto zeros = static_cast<std::uint64_t>(std::count(cells.begin(), cells.end(), 0));
  for (std::uint8_t& cell : cells) cell = std::max(cell, least);
  return zeros;
}

}  // namespace

void UnitMap::on_area(const Process&, const Area& area) {
  current_ = nullptr;
  const bool is_bss = is_bss_of_unit(area);
  if (!is_bss && !has_file(area.vma)) return;
  if (!is_bss && before_ != unit_key(area.vma)) {
    before_ = unit_key(area.vma);
    names_.add(area.marks);
  }
  if (area.vma.is(PM_VMA_EXEC) || area.vma.is(PM_VMA_EXECUTABLE)) executable_.insert(before_);
  const std::uint64_t flags = area.marks.flags & kShown;
  // Version 1 has no file offsets, so there only the permissions distinguish the segments of a
  // unit.
  current_ = &find({before_, is_bss, is_bss ? 0 : area.vma.offset, flags});
  UnitSegment& facts = current_->facts;
  if (facts.unit.empty()) facts = {area.marks.file, flags, is_bss ? 0 : area.vma.offset, 0, 0, 0};
  facts.pages = std::max(facts.pages, area.virtual_pages);
  // A process may map a segment twice: dlmopen(), or RELRO and constants in one page of the file.
  if (current_->last_process != process_) ++facts.processes;
  current_->last_process = process_;
  if (!header_.has_pages) facts.resident = std::max(facts.resident, area.counts.user);
}

UnitMap::Segment& UnitMap::find(const SegmentKey& key) {
  Entry* const guess = last_ == nullptr ? nullptr : last_->second.next;
  Entry* const found =
      guess != nullptr && guess->first == key ? guess : &*segments_.try_emplace(key).first;
  if (last_ != nullptr) last_->second.next = found;
  last_ = found;
  return found->second;
}

void UnitMap::on_pages(const Process&, const Area& area, std::span<const PageRun> runs) {
  if (current_ == nullptr) return;
  const unsigned shift = header_.page_size.shift();
  for (const PageRun& run : runs) {
    const auto mappings = static_cast<std::uint8_t>(1 + std::min<std::uint64_t>(run.count, 10));
    current_->cells.for_each_stretch(
        (run.va - area.vma.start) >> shift, run.pages,
        [&](std::span<std::uint8_t> cells) { current_->facts.resident += raise(cells, mappings); });
  }
}

void UnitMap::on_process(const Process&) {
  current_ = nullptr;
  ++process_;
}

void UnitMap::for_each(const SegmentVisit& on_segment, const LineVisit& on_line) const {
  std::vector<decltype(segments_)::const_pointer> shown;
  for (const auto& entry : segments_)
    if (executable_.count(entry.first.unit) != 0) shown.push_back(&entry);
  // Ordered by name, then by key: file offset, the bss last.
  std::sort(shown.begin(), shown.end(), [](const auto* a, const auto* b) {
    const int names = a->second.facts.unit.text().compare(b->second.facts.unit.text());
    return names != 0 ? names < 0 : a->first < b->first;
  });
  for (const auto* entry : shown) visit(*entry, on_segment, on_line);
}

void UnitMap::visit(const Entry& entry, const SegmentVisit& on_segment,
                    const LineVisit& on_line) const {
  const auto& [key, segment] = entry;
  UnitSegment facts = segment.facts;
  facts.unit = names_.label(key.unit);
  on_segment(facts);
  MapLines lines(facts.pages, [&](const MapLine& line) { on_line(facts, line); });
  segment.cells.for_each_chunk([&](std::uint64_t first, const auto& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i] != 0) lines.put(first + i, map_cell(cells[i] - 1u));
  });
  if (header_.has_pages) lines.finish();
}

}  // namespace physmem
