// SPDX-License-Identifier: MIT
#include "paging/write/area_changes.h"

#include <algorithm>

namespace physmem {
namespace {

pm_trace_area emitted(const SwapArea& area) {
  return {
      area.type, static_cast<__u8>(area.kind), area.slots, {area.name.data(), area.name.size()}};
}

}  // namespace

std::vector<pm_trace_area> area_changes(const std::vector<SwapArea>& before,
                                        const std::vector<SwapArea>& now) {
  std::vector<pm_trace_area> changes;
  const auto has_type = [](const std::vector<SwapArea>& areas, std::uint8_t type) {
    return std::any_of(areas.begin(), areas.end(),
                       [=](const SwapArea& area) { return area.type == type; });
  };
  for (const SwapArea& area : before)
    if (!has_type(now, area.type)) {
      changes.push_back(emitted(area));
      changes.back().kind = PM_TRACE_GONE;
    }
  for (const SwapArea& area : now)
    if (std::find(before.begin(), before.end(), area) == before.end())
      changes.push_back(emitted(area));
  return changes;
}

pm_trace_header emitted_header(const TraceHeader& header, const char* form) {
  pm_trace_header to{};
  to.arch = header.arch.c_str();
  to.kernel = header.kernel.c_str();
  to.source = header.source.c_str();
  to.form = form;
  to.page_size = header.page_size;
  to.memory_bytes = header.memory_bytes;
  to.frames_end = header.frames_end;
  to.wall_offset_ns = header.wall_offset_ns;
  return to;
}

}  // namespace physmem
