// SPDX-License-Identifier: MIT
#include "paging/model/paging_record.h"

#include <algorithm>
#include <cstring>

namespace physmem {
namespace {

std::optional<std::uint64_t> known(std::uint64_t value) {
  if (value == PM_PAGING_UNKNOWN) return {};
  return value;
}

std::optional<std::uint32_t> known_process(std::uint32_t id) {
  if (id == 0) return {};
  return id;
}

}  // namespace

PagingEvent event_of(const pm_paging_record& record) {
  PagingEvent event;
  event.sequence = record.sequence;
  event.time_ns = record.time_ns;
  event.kind = record.kind == PM_PAGING_IN ? PagingKind::kIn : PagingKind::kOut;
  event.flags = record.flags;
  event.cpu = record.cpu;
  event.pid = known_process(record.pid);
  event.tgid = known_process(record.tgid);
  event.comm.assign(record.comm, strnlen(record.comm, PM_PAGING_COMM - 1));
  event.address = known(record.address);
  event.pfn = known(record.pfn);
  if (record.swap_type != PM_PAGING_NO_TYPE) event.swap_type = record.swap_type;
  event.slot = known(record.slot);
  event.sector = known(record.sector);
  event.service_ns = known(record.service_ns);
  return event;
}

LostEvents lost_of(const pm_paging_record& record) {
  LostEvents lost;
  lost.time_ns = record.time_ns;
  if (record.cpu != PM_PAGING_NO_CPU) lost.cpu = record.cpu;
  lost.count = record.slot;
  return lost;
}

pm_paging_record record_of(const PagingEvent& event) {
  pm_paging_record record{};
  record.sequence = event.sequence;
  record.time_ns = event.time_ns;
  record.address = event.address.value_or(PM_PAGING_UNKNOWN);
  record.pfn = event.pfn.value_or(PM_PAGING_UNKNOWN);
  record.slot = event.slot.value_or(PM_PAGING_UNKNOWN);
  record.sector = event.sector.value_or(PM_PAGING_UNKNOWN);
  record.service_ns = event.service_ns.value_or(PM_PAGING_UNKNOWN);
  record.pid = event.pid.value_or(0);
  record.tgid = event.tgid.value_or(0);
  record.flags = event.flags;
  record.cpu = event.cpu;
  record.kind = static_cast<__u8>(event.kind);
  record.swap_type = event.swap_type.value_or(PM_PAGING_NO_TYPE);
  std::copy_n(event.comm.data(), std::min<std::size_t>(event.comm.size(), PM_PAGING_COMM - 1),
              record.comm);
  return record;
}

pm_paging_record record_of(const LostEvents& lost) {
  pm_paging_record record{};
  record.time_ns = lost.time_ns;
  record.address = record.pfn = record.sector = record.service_ns = PM_PAGING_UNKNOWN;
  record.slot = lost.count;
  record.cpu = lost.cpu.value_or(PM_PAGING_NO_CPU);
  record.kind = PM_PAGING_LOST;
  record.swap_type = PM_PAGING_NO_TYPE;
  return record;
}

}  // namespace physmem
