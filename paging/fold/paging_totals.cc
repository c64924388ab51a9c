// SPDX-License-Identifier: MIT
#include "paging/fold/paging_totals.h"

#include <algorithm>

namespace physmem {
namespace {

std::uint64_t events_of(const PagingTotal& total) {
  return total.reads + total.hits + total.unmoved + total.writes;
}

void count(const PagingEvent& event, PagingTotal& total) {
  const bool is_io = event.has(PM_PAGING_IO);
  if (event.has(PM_PAGING_ZSWAP) || event.has(PM_PAGING_ZERO)) ++total.unmoved;
  if (event.kind == PagingKind::kOut) {
    if (is_io) ++total.writes;
    if (is_io && event.has(PM_PAGING_OWNER_KEPT)) ++total.inferred;
    return;
  }
  if (is_io) ++total.reads;
  if (event.has(PM_PAGING_READAHEAD)) ++total.readahead;
  if (event.has(PM_PAGING_CACHE_HIT)) ++total.hits;
  if (event.has(PM_PAGING_MAJOR)) ++total.major;
  // As in paging_rates. A fault that only waited for another fault's read would make the device
  // look faster.
  if (!event.service_ns || !event.is_move()) return;
  ++total.timed;
  total.service_ns += *event.service_ns;
  total.longest_ns = std::max(total.longest_ns, *event.service_ns);
}

}  // namespace

void add_total(PagingTotal& to, const PagingTotal& more) {
  to.reads += more.reads;
  to.readahead += more.readahead;
  to.hits += more.hits;
  to.unmoved += more.unmoved;
  to.writes += more.writes;
  to.inferred += more.inferred;
  to.major += more.major;
  to.timed += more.timed;
  to.service_ns += more.service_ns;
  to.longest_ns = std::max(to.longest_ns, more.longest_ns);
}

PagingTotal& PagingTotals::total_of(const PagingEvent& event) {
  const std::uint32_t tgid = event.tgid.value_or(0);
  const auto at = totals_.find(tgid);
  if (at != totals_.end()) return at->second;
  if (totals_.size() >= kMaxProcesses) return other_;
  return totals_[tgid];
}

void PagingTotals::on_event(const PagingEvent& event) {
  first_ns_ = has_any_ ? std::min(first_ns_, event.time_ns) : event.time_ns;
  last_ns_ = std::max(last_ns_, event.time_ns);
  has_any_ = true;
  PagingTotal& total = total_of(event);
  if (&total != &other_) {
    total.tgid = event.tgid.value_or(0);
    if (!event.comm.empty()) total.comm = event.comm;
  }
  count(event, total);
}

std::vector<PagingTotal> PagingTotals::by_process() const {
  std::vector<PagingTotal> totals;
  for (const auto& [tgid, total] : totals_) totals.push_back(total);
  std::stable_sort(totals.begin(), totals.end(), [](const PagingTotal& a, const PagingTotal& b) {
    return events_of(a) > events_of(b);
  });
  if (events_of(other_) == 0) return totals;
  totals.push_back(other_);
  totals.back().comm = "other";
  return totals;
}

PagingTotal PagingTotals::sum() const {
  PagingTotal sum = other_;
  for (const auto& [tgid, total] : totals_) add_total(sum, total);
  return sum;
}

}  // namespace physmem
