// SPDX-License-Identifier: MIT
#include "paging/fold/contiguity.h"

#include <algorithm>

namespace physmem {
namespace {

constexpr unsigned kKindShift = 62;
constexpr unsigned kTypeShift = 48;
constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kTypeShift) - 1;
constexpr std::uint64_t kInFrame = static_cast<std::uint64_t>(PagePlace::Kind::kFrame);

std::uint64_t pack(PagePlace place) {
  return static_cast<std::uint64_t>(place.kind) << kKindShift |
         static_cast<std::uint64_t>(place.swap_type) << kTypeShift | (place.number & kNumberMask);
}

PagePlace unpack(std::uint64_t packed) {
  return {static_cast<PagePlace::Kind>(packed >> kKindShift),
          static_cast<std::uint8_t>(packed >> kTypeShift & 0xFF), packed & kNumberMask};
}

bool is_frame(std::uint64_t packed) {
  return packed >> kKindShift == kInFrame;
}

std::uint64_t frame(std::uint64_t packed) {
  return packed & kNumberMask;
}

}  // namespace

VirtualPages::VirtualPages(std::size_t max_tables)
    : max_tables_(max_tables), count_(std::make_shared<BlockCount>()) {}

std::uint64_t VirtualPages::packed(const Space& space, std::uint64_t page) const {
  const Table* table = space.tables.find(page / kPages);
  return table == nullptr ? 0 : (*table)[page % kPages];
}

PagePlace VirtualPages::find(std::uint32_t tgid, std::uint64_t page) const {
  const auto it = spaces_.find(tgid);
  return it == spaces_.end() ? PagePlace{} : unpack(packed(it->second, page));
}

/// Adds or subtracts the contribution of `page` at `place` and its neighbours.
void VirtualPages::count(Space& space, std::uint64_t page, std::uint64_t place, bool is_gone) {
  const std::uint64_t one = is_gone ? ~std::uint64_t{0} : 1;  // adding it wraps around to one less
  if (!is_frame(place)) {
    if (place != 0) space.sums.swapped += one;
    return;
  }
  space.sums.resident += one;
  const auto pair = [&](bool is_adjacent) {
    for (Contiguity* sum : {&space.sums.contiguity, &contiguity_}) {
      sum->pairs += one;
      if (is_adjacent) sum->adjacent += one;
    }
  };
  const std::uint64_t above = packed(space, page + 1);
  if (is_frame(above)) pair(frame(above) == frame(place) + 1);
  const std::uint64_t below = page == 0 ? 0 : packed(space, page - 1);
  if (is_frame(below)) pair(frame(below) + 1 == frame(place));
}

void VirtualPages::put(std::uint32_t tgid, std::uint64_t page, PagePlace place) {
  const auto it =
      spaces_.try_emplace(tgid, Space{SharedBlocks<Table>(count_, max_tables_), {}}).first;
  Space& space = it->second;
  const std::uint64_t was = packed(space, page);
  const std::uint64_t is = pack(place);
  if (was == is) return;
  const std::size_t before = space.tables.size();
  const bool may_touch = tables_ < max_tables_ || space.tables.find(page / kPages) != nullptr;
  Table* table = may_touch ? space.tables.touch(page / kPages) : nullptr;
  if (table == nullptr) {
    ++left_out_;
    return;
  }
  tables_ += space.tables.size() - before;
  if (was != 0) count(space, page, was, true);
  (*table)[page % kPages] = is;
  if (is != 0) count(space, page, is, false);
}

void VirtualPages::erase(std::uint32_t tgid, std::uint64_t page, PagePlace place) {
  if (find(tgid, page) == place) put(tgid, page, {});
}

void VirtualPages::drop(std::uint32_t tgid) {
  const auto it = spaces_.find(tgid);
  if (it == spaces_.end()) return;
  contiguity_.pairs -= it->second.sums.contiguity.pairs;
  contiguity_.adjacent -= it->second.sums.contiguity.adjacent;
  tables_ -= it->second.tables.size();
  spaces_.erase(it);
}

VirtualPages::Sums VirtualPages::sums(std::uint32_t tgid) const {
  const auto it = spaces_.find(tgid);
  return it == spaces_.end() ? Sums{} : it->second.sums;
}

std::vector<VirtualPages::FrameRun> VirtualPages::frames(std::uint32_t tgid,
                                                         std::size_t limit) const {
  const auto it = spaces_.find(tgid);
  if (it == spaces_.end()) return {};
  std::vector<std::uint64_t> frames;
  frames.reserve(it->second.sums.resident);
  it->second.tables.for_each([&](std::uint64_t, const Table& table) {
    for (const std::uint64_t place : table)
      if (is_frame(place)) frames.push_back(frame(place));
  });
  std::sort(frames.begin(), frames.end());
  std::vector<FrameRun> runs;
  for (const std::uint64_t number : frames) {
    if (!runs.empty() && number < runs.back().first + runs.back().second) continue;  // shared
    if (!runs.empty() && number == runs.back().first + runs.back().second)
      ++runs.back().second;
    else if (runs.size() == limit)
      break;
    else
      runs.emplace_back(number, 1);
  }
  return runs;
}

}  // namespace physmem
