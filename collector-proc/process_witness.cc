// SPDX-License-Identifier: MIT
#include "collector-proc/process_witness.h"

#include <optional>
#include <string>
#include <vector>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

std::optional<TaskCounts> task_counts(const ProcTree& tree) {
  ReadBuffer text;
  if (read_at(tree.fd(), "loadavg", text) != Access::kRead) return std::nullopt;
  std::optional<TaskCounts> counts = parse_task_counts(text.text());
  if (counts && read_at(tree.fd(), "vmstat", text) == Access::kRead)
    counts->faults = number_of_line(text.text(), "pgfault ");
  return counts;
}

}  // namespace

// The tasks of the machine are read around everything else.
Status write_witness(const ProcTree& tree, ProcessReader& reader, const Process& process,
                     RollupTime time, SnapshotWriter& writer) {
  const bool is_before = time == RollupTime::kBefore;
  Rollup rollup;
  std::optional<TaskCounts> tasks = is_before ? task_counts(tree) : std::nullopt;
  const Access access = reader.rollup(process, time, rollup);
  if (access == Access::kFailed) return reader.error();
  if (access != Access::kRead) return {};
  if (!is_before) tasks = task_counts(tree);
  const std::string name = "process." + std::to_string(process.pid);
  const std::string prefix = name + (is_before ? ".before." : ".after.");
  std::vector<Counter> counters;
  add_counters(prefix,
               {{"rss_kB", rollup.rss_kb}, {"pss_kB", rollup.pss_kb}, {"faults", rollup.faults}},
               counters);
  if (tasks) add_counters(prefix, {{"tasks", tasks->tasks}, {"newest", tasks->newest}}, counters);
  if (tasks && tasks->faults) add_counters(prefix, {{"all_faults", *tasks->faults}}, counters);
  writer.counters(counters);
  return {};
}

void write_absent(Pid pid, std::uint64_t poisoned, std::uint64_t migrating,
                  SnapshotWriter& writer) {
  const std::string name = "process." + std::to_string(pid);
  if (poisoned != 0) writer.counters({{name + ".poisoned", poisoned}});
  if (migrating != 0) writer.counters({{name + ".migrating", migrating}});
}

}  // namespace physmem::collect
