// SPDX-License-Identifier: MIT
#include "top/sample/page_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "collector-proc/frame_source.h"

namespace physmem::top {
namespace {

using collect::Access;

/// Frames in one page of the frame table.
constexpr std::uint64_t kTableFrames = 512;
/// 64 MiB. A table that has more is released, so that a large machine does not fill it for good.
constexpr std::size_t kMaxTablePages = 16'384;

Vma vma_of(const collect::Area& area, std::uint64_t resident_bytes) {
  Vma vma;
  vma.start = area.start;
  vma.last = area.end - 1;
  vma.resident = resident_bytes;
  vma.flags = area.flags;
  vma.unit = Name(std::string(area.unit));
  vma.offset = area.offset;
  vma.device = std::uint64_t{area.dev_major} << 32 | area.dev_minor;
  vma.inode = area.inode;
  return vma;
}

PageCounts counts_of(const pm_page_counts& counts) {
  return {counts.user, 0, 0, counts.single_use, counts.shared, counts.swapped, 0};
}

Task task_of(const collect::Process& process) {
  const collect::TaskStat& stat = process.group;
  Task task;
  task.comm = stat.comm;
  task.pid = process.pid;
  task.mm = process.pid;
  task.identity = TaskIdentity{process.pid, stat.start_time, stat.ppid, 0};
  return task;
}

std::uint64_t swap_devices_of(const collect::ProcTree& tree) {
  collect::ReadBuffer swaps;
  const bool has_swaps = collect::read_at(tree.fd(), "swaps", swaps) == Access::kRead;
  return has_swaps ? collect::count_swap_devices(swaps.text()) : 0;
}

}  // namespace

PageReader::PageReader(const collect::ProcTree& tree, std::uint64_t page_size)
    : tree_(tree), page_size_(page_size), reader_(tree) {
  header_.version = 2;
  header_.page_size.bytes = page_size;
  header_.phys_mask = ~(page_size - 1) & 0x000fffffffffffff;
  header_.raw_pte = false;
  header_.raw_prot = false;
  header_.stable_flags = true;
  header_.count = Header::Count::kMapcount;
  batch_.kinds = kinds_of(header_);
}

bool PageReader::begin() {
  if (!table_) {
    collect::FrameFiles files = collect::open_frame_files(tree_, page_size_);
    if (!files.are_visible) return false;
    table_.emplace(std::move(files.kpagecount), std::move(files.kpageflags));
    frames_.emplace(*table_, true);
  }
  walk_.emplace(*frames_, page_size_, swap_devices_of(tree_), true);
  return true;
}

void PageReader::end() {
  process_.dir.reset();
  source_.pagemap.reset();
  walk_.reset();
  if (frames_) forget_frames();
}

/// New memory for the table would cost a page fault for each few frames, a quarter of the walk.
void PageReader::forget_frames() {
  for (const auto& [pfn, pages] : frames_->learned()) {
    for (std::uint64_t page = pfn / kTableFrames; page <= (pfn + pages - 1) / kTableFrames;
         ++page) {
      if (page >= is_table_used_.size()) is_table_used_.resize(page + 1);
      if (!is_table_used_[page]) ++table_pages_;
      is_table_used_[page] = true;
    }
  }
  if (table_pages_ > kMaxTablePages)
    release_frames();
  else
    frames_->forget();
}

void PageReader::release_frames() {
  frames_.reset();
  table_.reset();
  is_table_used_.clear();
  table_pages_ = 0;
}

Access PageReader::read(collect::Pid pid, Events& to, std::stop_token stop) {
  Access access = reader_.open(pid, process_);
  if (access != Access::kRead) return access;
  if (process_.holder == 0) return Access::kGone;
  access = reader_.areas(process_, source_);
  if (access != Access::kRead) return access;
  collect::mark_executable(process_, source_.areas.list);
  to.on_header(header_);
  to.on_task(task_of(process_));
  access = read_areas(to, std::move(stop));
  if (access == Access::kRead) to.on_end({});
  return access;
}

Access PageReader::read_areas(Events& to, std::stop_token stop) {
  const std::vector<collect::Area>& areas = source_.areas.list.areas();
  walk_->begin(source_.pagemap.get(), areas, {process_.holder_stat.rss, source_.page_tables_kb},
               std::move(stop));
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const Access access = walk_->read(i, pages_);
    if (access != Access::kRead) return access;
    to.on_vma(vma_of(areas[i], pages_.counts.user * page_size_));
    to.on_counts(counts_of(pages_.counts));
    pages_read_ += pages_.counts.user;
    pass_on(pages_, to);
  }
  return Access::kRead;
}

void PageReader::pass_on(const collect::AreaPages& pages, Events& to) {
  for (const collect::PageRun& run : pages.resident) pass_on_run(run, to);
  if (batch_.size != 0) to.on_pages(batch_.runs(), batch_.sums);
  batch_.clear();
  if (pages.swapped.empty()) return;
  std::vector<SwapEntry> swapped;
  swapped.reserve(pages.swapped.size());
  for (const collect::SwapEntry& entry : pages.swapped)
    swapped.push_back({entry.vpn * page_size_, entry.type(), entry.slot()});
  to.on_swapped(swapped);
}

/// Divides a run of adjacent frames where their counts or flags change.
void PageReader::pass_on_run(const collect::PageRun& run, Events& to) {
  std::array<pm_page, 64> facts;
  for (std::uint64_t done = 0; done < run.pages();) {
    const std::uint64_t n = std::min(run.pages() - done, std::uint64_t{facts.size()});
    frames_->describe(run.pfn() + done, n, facts.data());
    for (std::uint64_t i = 0; i < n;) {
      std::uint64_t end = i + 1;
      while (end < n && facts[end].count == facts[i].count && facts[end].flags == facts[i].flags)
        ++end;
      if (batch_.room() == 0) {
        to.on_pages(batch_.runs(), batch_.sums);
        batch_.clear();
      }
      batch_.add({(run.vpn() + done + i) * page_size_, (run.pfn() + done + i) * page_size_, end - i,
                  facts[i].count, facts[i].flags});
      i = end;
    }
    done += n;
  }
}

}  // namespace physmem::top
