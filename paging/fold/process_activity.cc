// SPDX-License-Identifier: MIT
#include "paging/fold/process_activity.h"

#include <algorithm>

namespace physmem {

void ProcessTrace::add(std::uint64_t number, const PackedEvent& e) {
  event = number;
  time_ms = e.time_ms;
  const bool is_inferred = e.has(PM_PAGING_OWNER_KEPT);
  if (e.address != PM_PAGING_UNKNOWN) {
    address = e.address;
    is_address_inferred = is_inferred;
  }
  if (e.comm != 0 && !has_leaders_name) comm = e.comm;
  if (e.comm != 0 && e.pid == e.tgid) {
    comm = e.comm;
    has_leaders_name = true;
  }
  if (e.pid != 0 && (threads.empty() || threads.back() != e.pid) && threads.size() < kMaxThreads &&
      std::find(threads.begin(), threads.end(), e.pid) == threads.end())
    threads.push_back(e.pid);
  if (!e.is_move()) return;
  kind = e.kind;
  ++(e.is_in() ? ins : outs);
  if (is_inferred) ++inferred;
  recent.add(e.time_ms, e.is_in());
  last_[moves_++ % kLast] = e;
}

std::vector<PackedEvent> ProcessTrace::last() const {
  std::vector<PackedEvent> newest_first;
  for (std::size_t back = 1; back <= std::min(moves_, kLast); ++back)
    newest_first.push_back(last_[(moves_ - back) % kLast]);
  return newest_first;
}

void ProcessActivity::apply(std::uint64_t number, const PackedEvent& event,
                            const std::function<void(std::uint32_t)>& dropped) {
  if (event.kind == PM_PAGING_LOST) return;
  auto it = processes_.find(event.tgid);
  if (it == processes_.end()) {
    if (processes_.size() >= limit_) make_room(dropped);
    it = processes_.try_emplace(event.tgid).first;
    it->second.tgid = event.tgid;
  }
  it->second.add(number, event);
}

/// Drops a quarter at once, so that the search costs little per new process.
void ProcessActivity::make_room(const std::function<void(std::uint32_t)>& dropped) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_event;
  for (const auto& [tgid, process] : processes_)
    if (tgid != 0) by_event.emplace_back(process.event, tgid);
  const std::size_t n = std::min(by_event.size(), limit_ / 4 + 1);
  std::nth_element(by_event.begin(), by_event.begin() + static_cast<std::ptrdiff_t>(n) - 1,
                   by_event.end());
  for (std::size_t i = 0; i < n; ++i) {
    const auto it = processes_.find(by_event[i].second);
    ++other_.processes;
    other_.ins += it->second.ins;
    other_.outs += it->second.outs;
    dropped(it->first);
    processes_.erase(it);
  }
}

const ProcessTrace* ProcessActivity::find(std::uint32_t tgid) const {
  const auto it = processes_.find(tgid);
  return it == processes_.end() ? nullptr : &it->second;
}

std::vector<const ProcessTrace*> ProcessActivity::busiest(std::uint32_t now_ms,
                                                          std::size_t limit) const {
  struct Entry {
    double moves;
    const ProcessTrace* process;
  };
  std::vector<Entry> entries;
  entries.reserve(processes_.size());
  for (const auto& [tgid, process] : processes_) {
    const RecentMoves::Rate rate = process.recent.rate(now_ms);
    entries.push_back({rate.ins + rate.outs, &process});
  }
  const auto last = entries.begin() + static_cast<std::ptrdiff_t>(std::min(limit, entries.size()));
  std::partial_sort(entries.begin(), last, entries.end(), [](const Entry& a, const Entry& b) {
    return a.moves != b.moves ? a.moves > b.moves : a.process->event > b.process->event;
  });
  std::vector<const ProcessTrace*> busiest;
  for (auto it = entries.begin(); it != last; ++it) busiest.push_back(it->process);
  return busiest;
}

}  // namespace physmem
