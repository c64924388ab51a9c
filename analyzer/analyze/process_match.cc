// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process_match.h"

#include "formats/emit/flags.h"

namespace physmem {

ProcessId ProcessId::of(const Process& process) {
  const auto& identity = process.task.identity;
  return {process.pid(), identity ? std::optional(identity->start_time) : std::nullopt, process.task.comm};
}

bool ProcessId::is_same(const ProcessId& other) const {
  if (pid != other.pid) return false;
  return start_time && other.start_time ? start_time == other.start_time : name == other.name;
}

std::optional<UnitKey> program_of(const Process& process) {
  for (const Area& area : process.areas)
    if (area.vma.is(PM_VMA_EXECUTABLE) && has_file(area.vma)) return unit_key(area.vma);
  return std::nullopt;
}

bool is_exec(const std::optional<UnitKey>& before, const std::optional<UnitKey>& after) {
  return before && after && *before != *after;
}

}  // namespace physmem
