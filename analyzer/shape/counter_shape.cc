// SPDX-License-Identifier: MIT
#include "analyzer/shape/counter_shape.h"

#include <fmt/format.h>

#include "analyzer/shape/owner_words.h"


namespace physmem {
namespace {

/// Bytes, rounded down to a whole number.
CounterGroup machine(const MemorySample& sample) {
  CounterGroup group{"machine", "Machine", 0, {}};
  if (sample.available_kib) group.counters.push_back({"Available", *sample.available_kib * 1024});
  if (sample.swap_used_kib) group.counters.push_back({"Swap used", *sample.swap_used_kib * 1024});
  return group;
}

CounterGroup classes(const MemorySample& sample) {
  CounterGroup group{"classes", "RAM by class", 0, {}};
  for (const ClassPages& row : sample.classes)
    group.counters.push_back({class_title(row.name), row.pages << sample.page_size.shift()});
  return group;
}

CounterGroup process_group(const ProcessSample& process, PageSize size) {
  CounterGroup group{
      fmt::format("{} {} {}", process.id.pid, process.id.start_time.value_or(0), process.id.name),
      process.name,
      static_cast<std::uint32_t>(process.id.pid),
      {}};
  if (process.use) {
    const MemoryUse& use = *process.use;
    if (use.is_share_known) group.counters.push_back({"PSS", use.share.bytes(size)});
    group.counters.push_back({"RSS", use.resident << size.shift()});
    group.counters.push_back({"Swap", use.swapped() << size.shift()});
  }
  if (process.faults) {
    group.counters.push_back({"Minor faults", process.faults->minors, false});
    group.counters.push_back({"Major faults", process.faults->majors, false});
  }
  return group;
}

}  // namespace

CounterSample counter_sample(const MemorySample& sample) {
  CounterSample counters{sample.time_ns, sample.wall_ns, {}};
  for (CounterGroup& group : std::vector{machine(sample), classes(sample)})
    if (!group.counters.empty()) counters.groups.push_back(std::move(group));
  for (const ProcessSample& process : sample.processes)
    counters.groups.push_back(process_group(process, sample.page_size));
  return counters;
}

}  // namespace physmem
