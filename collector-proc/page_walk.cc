// SPDX-License-Identifier: MIT
#include "collector-proc/page_walk.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "collector-proc/entry_file.h"
#include "program/signals.h"

namespace physmem::collect {
namespace {

// The kernel numbers swap devices from 0. Special entries (migration, poison, markers) have numbers
// from MAX_SWAPFILES on, which is at least 23 in all configurations. A device may have a higher
// number than there are lines in /proc/swaps, if an earlier one was switched off.
constexpr std::uint64_t kMinSpecialType = 23;

// Smaller VMAs are always read directly: 2^15 empty pages cost 0.1 ms, 3 ns each.
constexpr std::uint64_t kSparsePages = 1u << 15;
// Reading a VMA directly costs 3 ns per page of it. The scan costs about 11 ns per page found, and
// the page tables it finds are read as well. So it is clearly faster if the VMA is several times
// larger than the memory of the process.
constexpr std::uint64_t kSparseRatio = 4;

// End of reading: pagemap covers only the user half.
bool is_kernel_half(std::uint64_t address) {
  return address >> 63 != 0;
}

}  // namespace

bool is_worth_scanning(std::uint64_t pages, std::uint64_t resident_pages) {
  return pages >= kSparsePages && pages / kSparseRatio > resident_pages;
}

void AreaPages::clear() {
  counts = {};
  resident.clear();
  swapped.clear();
  is_guarded = false;
}

PageWalk::PageWalk(FrameCache& frames, std::uint64_t page_size, std::uint64_t swap_devices,
                   bool keep_pages, bool explains_absent)
    : frames_(frames),
      page_size_(page_size),
      swap_devices_(swap_devices),
      keep_pages_(keep_pages),
      explains_absent_(explains_absent) {}

void PageWalk::begin(int pagemap_fd, const std::vector<Area>& areas, SpaceSize size,
                     std::stop_token stop) {
  fd_ = pagemap_fd;
  areas_ = &areas;
  size_ = size;
  stop_ = std::move(stop);
  block_first_ = block_end_ = 0;
}

Access PageWalk::read(std::size_t area, AreaPages& into) {
  into.clear();
  area_ = area;
  pages_ = &into;
  const Area& now = (*areas_)[area];
  if (is_kernel_half(now.start)) return Access::kRead;
  const std::uint64_t vpn = now.start / page_size_;
  const std::uint64_t end = now.end / page_size_;
  const Access access = is_worth_scanning(end - vpn, size_.resident_pages) ? read_sparse(vpn, end)
                                                                           : read_plain(vpn, end);
  into.counts.swapped = into.swapped.size();
  return access;
}

Access PageWalk::read_plain(std::uint64_t vpn, std::uint64_t end) {
  while (vpn < end) {
    if (vpn < block_first_ || vpn >= block_end_) {
      if (const Access access = load_block(vpn); access != Access::kRead) return access;
    }
    const std::uint64_t until = std::min(end, block_end_);
    take(block_.data() + (vpn - block_first_), vpn, until - vpn);
    vpn = until;
  }
  return Access::kRead;
}

Access PageWalk::read_sparse(std::uint64_t vpn, std::uint64_t end) {
  PagemapScan scan(kernel_scan(fd_), vpn * page_size_, end * page_size_,
                   scan_window(size_.page_tables_kb));
  for (;;) {
    const bool is_complete = scan.next(regions_);
    for (const Region& region : regions_) {
      const Access access = read_plain(region.start / page_size_, region.end / page_size_);
      if (access != Access::kRead) return access;
    }
    if (!is_complete) return read_plain(scan.position() / page_size_, end);
    if (regions_.empty()) return is_alive() ? Access::kRead : Access::kGone;
  }
}

// Returns where to stop reading in the page table of vpn: at the end of the last VMA with pages in
// it, so that adjacent VMAs (such as the parts of a library) share one read.
std::uint64_t PageWalk::block_limit(std::uint64_t vpn) const {
  const std::uint64_t table_end = (vpn / kBlock + 1) * kBlock;
  std::uint64_t limit = vpn + 1;
  for (std::size_t i = area_; i < areas_->size() && (*areas_)[i].start / page_size_ < table_end;
       ++i)
    limit = std::max(limit, std::min(table_end, (*areas_)[i].end / page_size_));
  return limit;
}

// An address space that is gone reads as an empty file, and so does an address after its end.
bool PageWalk::is_alive() const {
  std::uint64_t entry = 0;
  return read_entries(fd_, 0, {&entry, 1}) > 0;
}

Access PageWalk::load_block(std::uint64_t vpn) {
  if (interrupted() || stop_.stop_requested()) return Access::kFailed;
  const std::uint64_t limit = block_limit(vpn);
  const std::span block = std::span(block_).first(static_cast<std::size_t>(limit - vpn));
  const ssize_t got = read_entries(fd_, vpn, block);
  if (got < 0) return access_of_errno();
  if (got == 0 && !is_alive()) return Access::kGone;
  const auto entries = static_cast<std::size_t>(got);
  std::ranges::fill(block.subspan(entries), 0);
  block_first_ = vpn;
  block_end_ = limit;
  learn_frames(block.first(entries));
  return Access::kRead;
}

void PageWalk::learn_frames(std::span<const std::uint64_t> entries) {
  for (const std::uint64_t entry : entries) {
    const std::uint64_t pfn = entry & kFrameMask;
    if ((entry & kPresent) != 0 && pfn != 0) frames_.request(pfn);
  }
  frames_.learn();
}

void PageWalk::take(const std::uint64_t* entries, std::uint64_t vpn, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n;) {
    const std::uint64_t entry = entries[i];
    if ((entry & kPresent) == 0) {
      if ((entry & kSwapped) != 0) take_absent(vpn + i, entry);
      ++i;
      continue;
    }
    const std::uint64_t pfn = entry & kFrameMask;
    std::uint64_t pages = 1;
    while (i + pages < n &&
           (entries[i + pages] & (kPresent | kFrameMask)) == (kPresent | (pfn + pages)))
      ++pages;
    take_run(vpn + i, pfn, pages);
    i += pages;
  }
}

void PageWalk::take_run(std::uint64_t vpn, std::uint64_t pfn, std::uint64_t pages) {
  if (pfn == 0) {  // no user page is frame 0: the kernel hid the number
    ++notes_.frame_missing;
    if (pages > 1) take_run(vpn + 1, 1, pages - 1);
    return;
  }
  frames_.tally(pfn, pages, pages_->counts);
  pages_->counts.user += pages;
  if (keep_pages_) pages_->resident.emplace_back(vpn, pfn, pages);
}

void PageWalk::take_absent(std::uint64_t vpn, std::uint64_t entry) {
  const SwapEntry swap{vpn, entry};
  if (swap_devices_ == 0 || swap.type() >= std::max(kMinSpecialType, swap_devices_))
    take_special(swap);
  else
    pages_->swapped.push_back(swap);
}

void PageWalk::take_special(const SwapEntry& entry) {
  const std::uint64_t guards = notes_.markers.guard;
  const std::uint64_t pfn = entry.slot();
  if (pm_take_marker(&notes_.markers, pfn)) {
    if (entry.vpn == (*areas_)[area_].start / page_size_)
      pages_->is_guarded = notes_.markers.guard != guards;
    return;
  }
  ++notes_.in_transit;
  if (!explains_absent_ || pfn <= PM_MAX_MARKER) return;
  frames_.request(pfn);
  frames_.learn();
  pm_page page{};
  frames_.describe(pfn, 1, &page);
  ++((page.flags & PM_PAGE_HWPOISON) != 0 ? notes_.poisoned : notes_.migrating);
}

}  // namespace physmem::collect
