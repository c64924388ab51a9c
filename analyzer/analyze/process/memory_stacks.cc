// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/memory_stacks.h"

namespace physmem {

void MemoryStacks::on_header(const Header&) {
  processes_.clear();
  stacks_.clear();
  names_.clear();
  is_share_known_ = true;
}

void MemoryStacks::on_process(const Process& process) {
  if (process.areas.empty()) return;
  processes_.push_back(
      {process.task.comm, process.pid(), process.task.group ? process.task.group->cgroup : ""});
  of_process_.clear();
  for (const Area& area : process.areas) {
    is_share_known_ = is_share_known_ && !area.tally.has_unlisted;
    names_.add(area.marks);
    add({area.regions.file, area.marks.key()}, area.tally.file);
    add({area.regions.anon, area.marks.key()}, area.tally.anon);
  }
}

void MemoryStacks::add(const Key& key, const PageTally& pages) {
  if (pages.pages == 0) return;
  const auto [at, is_new] = of_process_.try_emplace(key, stacks_.size());
  if (is_new) stacks_.push_back({processes_.size() - 1, key.first, key.second, {}});
  stacks_[at->second].pages += pages;
}

}  // namespace physmem
