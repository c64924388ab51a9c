// SPDX-License-Identifier: MIT
#include "paging/source/local_records.h"

#include "paging/model/paging_record.h"

namespace physmem {
namespace {

/// Maximum time that an event waits for its predecessors. Longer than a CPU may be delayed in
/// delivering its events.
constexpr std::uint64_t kSettleNs = 50'000'000;

}  // namespace

LocalRecords::LocalRecords(const std::string& source, std::uint64_t time_ns,
                           const std::string& root)
    : completion_(source, time_ns, root) {}

void LocalRecords::begin(PagingSink& sink) {
  order_.emplace(sink);
  sink.on_header(completion_.header());
}

void LocalRecords::add(std::span<pm_paging_record> records, std::uint64_t time_ns,
                       PagingSink& sink) {
  // Passed directly to the sink: a newer header does no harm to events that still wait.
  if (completion_.complete(records, time_ns)) sink.on_header(completion_.header());
  order_->redirect(sink);
  for (const pm_paging_record& record : records) {
    if (record.kind == PM_PAGING_LOST)
      order_->on_lost(lost_of(record));
    else
      order_->on_event(event_of(record));
  }
  order_->settle(time_ns - kSettleNs);
}

void LocalRecords::finish(std::uint64_t time_ns, PagingSink& sink) {
  order_->redirect(sink);
  order_->flush();
  if (const std::uint64_t count = order_->unexplained(); count != 0)
    order_->on_lost({time_ns, {}, count});
}

}  // namespace physmem
