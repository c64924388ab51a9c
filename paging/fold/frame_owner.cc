// SPDX-License-Identifier: MIT
#include "paging/fold/frame_owner.h"

namespace physmem {
namespace {

/// Whether the frame now holds the page at this address of this process.
bool has_owner(const PagingEvent& event) {
  return event.tgid && event.address && !event.has(PM_PAGING_READAHEAD) &&
         !event.has(PM_PAGING_NO_FAULT) && !event.has(PM_PAGING_FAILED) &&
         !event.has(PM_PAGING_RETRY);
}

}  // namespace

std::uint32_t FrameOwner::index_of(const Process& process) {
  const auto at = latest_.find(process.pid);
  if (at != latest_.end() && processes_[at->second] == process) return at->second;
  if (processes_.size() == kMaxProcesses) clear();
  const auto index = static_cast<std::uint32_t>(processes_.size());
  processes_.push_back(process);
  latest_[process.pid] = index;
  return index;
}

void FrameOwner::erase(std::uint64_t pfn) {
  const auto at = places_.find(pfn);
  if (at == places_.end()) return;
  frames_.erase({processes_[at->second.process].tgid, at->second.address});
  places_.erase(at);
}

void FrameOwner::clear() {
  no_room_ += places_.size();
  places_.clear();
  frames_.clear();
  processes_.clear();
  latest_.clear();
}

void FrameOwner::see(std::uint64_t pfn, const Process& process, std::uint64_t address) {
  erase(pfn);
  const Page page{process.tgid, address};
  if (const auto elsewhere = frames_.find(page); elsewhere != frames_.end())
    erase(elsewhere->second);
  if (places_.size() >= limit_) {
    ++no_room_;
    return;
  }
  const std::uint32_t index = index_of(process);  // may clear all frames
  places_[pfn] = {index, address};
  frames_[page] = pfn;
}

void FrameOwner::learn(const PagingEvent& event) {
  if (!event.pfn) return;
  if (has_owner(event))
    see(*event.pfn, {*event.tgid, event.pid.value_or(*event.tgid), event.comm}, *event.address);
  else
    erase(*event.pfn);
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

const PagingEvent& FrameOwner::infer(const PagingEvent& event) {
  if (event.kind == PagingKind::kIn) {
    learn(event);
    return event;
  }
  if (!event.pfn) return event;
  const bool has_owner = event.tgid || event.pid;
  if (!has_owner) {
    owned_ = event;
    fill(owned_);
  }
  erase(*event.pfn);
  return has_owner ? event : owned_;
}

}  // namespace physmem
