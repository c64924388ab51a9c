// SPDX-License-Identifier: MIT
#include "paging/source/completion.h"

#include "paging/source/machine.h"

namespace physmem {
namespace {

/// Interval at which the list of swap areas is read even without a sign of a change.
constexpr std::uint64_t kLookNs = 1'000'000'000;

}  // namespace

Completion::Completion(const std::string& source, std::uint64_t time_ns, const std::string& root)
    : header_(machine_facts(root)), areas_(root, header_.page_size) {
  header_.source = source;
  looked_ns_ = time_ns;
  (void)areas_.has_changed();
  areas_.refresh(looked_ns_);
}

void Completion::look_at_areas(std::uint64_t time_ns) {
  const bool is_changed = areas_.has_changed();
  if (!is_changed && !areas_.is_outdated() && time_ns - looked_ns_ < kLookNs) return;
  looked_ns_ = time_ns;
  areas_.refresh(time_ns,
                 is_changed ? SwapAreas::Reading::kForced : SwapAreas::Reading::kIfChanged);
}

bool Completion::complete(std::span<pm_paging_record> records, std::uint64_t time_ns) {
  const auto has_slot = [](const pm_paging_record& record) {
    return record.kind != PM_PAGING_LOST && record.swap_type != PM_PAGING_NO_TYPE &&
           record.slot != PM_PAGING_UNKNOWN;
  };
  look_at_areas(time_ns);
  for (const pm_paging_record& record : records)
    if (has_slot(record)) areas_.saw(record.swap_type, record.slot, record.time_ns);
  for (pm_paging_record& record : records) {
    if (!has_slot(record)) continue;
    if (record.sector == PM_PAGING_UNKNOWN)
      record.sector = areas_.sector_of(record.swap_type, record.slot).value_or(PM_PAGING_UNKNOWN);
    if ((record.flags & PM_PAGING_IO) != 0 &&
        areas_.kind_of(record.swap_type) == SwapAreaKind::kZram)
      record.flags |= PM_PAGING_ZRAM;
  }
  if (areas_.changes() == reported_changes_) return false;
  reported_changes_ = areas_.changes();
  header_.swap_areas = areas_.areas();
  return true;
}

}  // namespace physmem
