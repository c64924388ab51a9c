// SPDX-License-Identifier: MIT
#include "paging/fold/frame_owner.h"

namespace physmem {
namespace {

/// Whether the frame now holds the page at this address of this process.
bool tells_owner(const PagingEvent& event) {
  return event.tgid && event.address && !event.has(PM_PAGING_READAHEAD) &&
         !event.has(PM_PAGING_NO_FAULT) && !event.has(PM_PAGING_FAILED) &&
         !event.has(PM_PAGING_RETRY);
}

}  // namespace

std::uint32_t FrameOwner::index_of(const Process& process) {
  const auto at = latest_.find(process.pid);
  if (at != latest_.end() && processes_[at->second] == process) return at->second;
  if (processes_.size() == kMaxProcesses) forget_all();
  const auto index = static_cast<std::uint32_t>(processes_.size());
  processes_.push_back(process);
  latest_[process.pid] = index;
  return index;
}

void FrameOwner::forget(std::uint64_t pfn) {
  const auto at = places_.find(pfn);
  if (at == places_.end()) return;
  frames_.erase({processes_[at->second.process].tgid, at->second.address});
  places_.erase(at);
}

void FrameOwner::forget_all() {
  no_room_ += places_.size();
  places_.clear();
  frames_.clear();
  processes_.clear();
  latest_.clear();
}

void FrameOwner::see(std::uint64_t pfn, const Process& process, std::uint64_t address) {
  forget(pfn);
  const Page page{process.tgid, address};
  if (const auto elsewhere = frames_.find(page); elsewhere != frames_.end())
    forget(elsewhere->second);
  if (places_.size() >= limit_) {
    ++no_room_;
    return;
  }
  const std::uint32_t index = index_of(process);  // may forget all frames
  places_[pfn] = {index, address};
  frames_[page] = pfn;
}

void FrameOwner::learn(const PagingEvent& event) {
  if (!event.pfn) return;
  if (tells_owner(event))
    see(*event.pfn, {*event.tgid, event.pid.value_or(*event.tgid), event.comm}, *event.address);
  else
    forget(*event.pfn);
}

void FrameOwner::fill(PagingEvent& event) {
  const auto at = places_.find(*event.pfn);
  if (at == places_.end()) return;
  const Process& process = processes_[at->second.process];
  event.tgid = process.tgid;
  event.pid = process.pid;
  event.comm = process.comm;
  event.address = at->second.address;
  event.flags |= PM_PAGING_OWNER_KEPT;
  ++kept_;
}

void FrameOwner::on_event(const PagingEvent& event) {
  if (event.kind == PagingKind::kIn) {
    learn(event);
    return to_.on_event(event);
  }
  if (!event.pfn) return to_.on_event(event);
  if (event.tgid || event.pid) {
    forget(*event.pfn);
    return to_.on_event(event);
  }
  PagingEvent owned = event;
  fill(owned);
  forget(*event.pfn);
  to_.on_event(owned);
}

}  // namespace physmem
