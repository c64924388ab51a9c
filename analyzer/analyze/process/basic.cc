// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/basic.h"

#include <algorithm>
#include <iterator>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

/// Whether a page of this region counts as library text in the paper's columns.
bool is_library_text(Region region, bool writable) {
  switch (region) {
    case Region::kLibText:
      return true;
    case Region::kMappedFile:
    case Region::kSharedMemory:
    case Region::kUnexplained:
      return !writable;
    default:
      return false;
  }
}

void add(BasicRow& row, Region region, bool writable, const PageTally& tally) {
  row.physical.add(region, writable, tally.pages);
  if (!is_library_text(region, writable)) return;
  row.single += tally.single;
  row.multi += tally.shared;
}

}  // namespace

PaperColumns::PaperColumns(const RegionPages& pages)
    : stack(pages.of(Region::kStack)),
      data(pages.of(Region::kAppData)),
      text(pages.of(Region::kAppText)),
      heap(pages.of(Region::kHeap) + pages.of(Region::kAppBss)),
      lib_bss(pages.of(Region::kLibBss)),
      lib_data(pages.of(Region::kLibData)),
      lib_text(pages.of(Region::kLibText)) {
  for (const Region other : {Region::kMappedFile, Region::kSharedMemory, Region::kUnexplained}) {
    lib_data += pages.writable(other);
    lib_text += pages.read_only(other);
  }
}

void Basic::on_process(const Process& process) {
  if (process.has_ended_leader) {
    // From the end: a leader's threads usually follow it, and there may be many such processes.
    const auto is_leader = [&](const BasicRow& row) {
      return row.pid == process.pid() && row.is_kernel_thread;
    };
    const auto leader = std::find_if(rows_.rbegin(), rows_.rend(), is_leader);
    if (leader != rows_.rend()) rows_.erase(std::next(leader).base());
  }
  BasicRow& row = rows_.emplace_back();
  row.name = process.task.comm;
  row.pid = process.pid();
  row.is_kernel_thread = process.is_kernel_thread();
  row.is_read = !process.is_unread();
  for (const Area& area : process.areas) {
    const bool writable = area.vma.is(PM_VMA_WRITE);
    add(row, area.regions.file, writable, area.tally.file);
    add(row, area.regions.anon, writable, area.tally.anon);
    row.physical.add(Region::kSpecial, writable, area.tally.special);
    row.virtual_pages.add(area.regions.file, writable, area.virtual_pages);
    row.unique += area.tally.unique();
    row.share += area.tally.share();
    row.is_share_known = row.is_share_known && !area.tally.has_unlisted;
    row.swapped += area.tally.swapped;
  }
}

}  // namespace physmem
