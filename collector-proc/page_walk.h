// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "collector-proc/frame_cache.h"
#include "collector-proc/maps_reader.h"
#include "collector-proc/pagemap_scan.h"
#include "collector-proc/proc_tree.h"
#include "formats/emit/records.h"

namespace physmem::collect {

/// Pages that are contiguous both in the address space and in RAM: 16 bytes for 1 to 4096 pages.
class PageRun {
 public:
  static constexpr std::uint64_t kMaxPages = 4096;

  PageRun(std::uint64_t vpn, std::uint64_t pfn, std::uint64_t pages)
      : vpn_and_pages_(vpn << 12 | (pages - 1)), pfn_(pfn) {}

  std::uint64_t vpn() const { return vpn_and_pages_ >> 12; }  // address / page size, below 2^52
  std::uint64_t pages() const { return (vpn_and_pages_ & 0xfff) + 1; }
  std::uint64_t pfn() const { return pfn_; }

 private:
  std::uint64_t vpn_and_pages_;
  std::uint64_t pfn_;
};

/// One swapped-out page.
struct SwapEntry {
  std::uint64_t vpn = 0;
  std::uint64_t entry = 0;  // as in pagemap: type in bits 0-4, slot in bits 5-54

  std::uint64_t type() const { return entry & 0x1f; }
  std::uint64_t slot() const { return entry >> 5 & ((std::uint64_t{1} << 50) - 1); }
};

/// The pages of one VMA. The counts are sums over the entries; executable and read_only are 0.
struct AreaPages {
  pm_page_counts counts{};
  std::vector<PageRun> resident;
  std::vector<SwapEntry> swapped;
  bool is_guarded = false;  // the first page of the VMA is a guard page

  void clear();
};

/// Entries that the walks of all processes could not write as a page.
struct WalkNotes {
  std::uint64_t in_transit = 0;     // neither present nor swapped: migration, poison
  std::uint64_t poisoned = 0;       // of in_transit: entries of a broken frame
  std::uint64_t migrating = 0;      // of in_transit: entries of another frame
  std::uint64_t frame_missing = 0;  // present, but the kernel gave no frame number
  pm_markers markers{};             // entries that stand for no page, which are no loss
};

/// What the kernel counts for an address space.
struct SpaceSize {
  std::uint64_t resident_pages = 0;
  std::uint64_t page_tables_kb = 0;  // read only if there is a VMA that is scanned in windows
};

/// Whether a VMA of this many pages is so much larger than the memory of its process that searching
/// for its pages (PagemapScan) is cheaper than reading all of it.
bool is_worth_scanning(std::uint64_t pages, std::uint64_t resident_pages);

/// Reads the page tables of address spaces, one at a time, through /proc/PID/pagemap.
///
/// At most one page table (512 entries on most machines, 4 KiB of pagemap) is read per call. The
/// kernel holds the process's mmap_lock during a read, so larger reads would stall its threads.
class PageWalk {
 public:
  /// explains_absent: find out which entries without a page are of broken pages, and which of pages
  /// that are being moved. It costs two reads for each.
  PageWalk(FrameCache& frames, std::uint64_t page_size, std::uint64_t swap_devices, bool keep_pages,
           bool explains_absent = false);

  /// The file must outlive the walk of this address space. The size is an estimate of what there is
  /// to find. After a stop request, as after a signal, a read ends early with kFailed.
  void begin(int pagemap_fd, const std::vector<Area>& areas, SpaceSize size,
             std::stop_token stop = {});
  /// VMAs must be read in their order. `into` is valid only after kRead.
  Access read(std::size_t area, AreaPages& into);

  const WalkNotes& notes() const { return notes_; }

 private:
  static constexpr std::uint64_t kBlock = 512;  // entries

  Access read_plain(std::uint64_t vpn, std::uint64_t end);
  Access read_sparse(std::uint64_t vpn, std::uint64_t end);
  Access load_block(std::uint64_t vpn);
  void learn_frames(std::span<const std::uint64_t> entries);
  std::uint64_t block_limit(std::uint64_t vpn) const;
  bool is_alive() const;
  void take(const std::uint64_t* entries, std::uint64_t vpn, std::uint64_t n);
  void take_run(std::uint64_t vpn, std::uint64_t pfn, std::uint64_t pages);
  void take_absent(std::uint64_t vpn, std::uint64_t entry);
  void take_special(const SwapEntry& entry);

  FrameCache& frames_;
  std::uint64_t page_size_;
  std::uint64_t swap_devices_;
  bool keep_pages_;
  bool explains_absent_;
  WalkNotes notes_;

  int fd_ = -1;
  const std::vector<Area>* areas_ = nullptr;
  SpaceSize size_;
  std::stop_token stop_;
  std::size_t area_ = 0;
  AreaPages* pages_ = nullptr;
  std::vector<Region> regions_;

  // The piece of pagemap read last: entries of the pages [block_first_, block_end_).
  std::array<std::uint64_t, kBlock> block_{};
  std::uint64_t block_first_ = 0;
  std::uint64_t block_end_ = 0;
};

}  // namespace physmem::collect
