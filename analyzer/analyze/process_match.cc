// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process_match.h"

#include "formats/emit/flags.h"

namespace physmem {

ProcessId ProcessId::of(const Task& task) {
  if (!task.identity) return {task.pid, {}, task.comm};
  return {task.identity->tgid, task.identity->start_time, {}};
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
