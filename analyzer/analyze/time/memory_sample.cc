// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/memory_sample.h"

#include <algorithm>

namespace physmem {

/// Nothing if the snapshot has no place on the axis.
std::optional<std::uint64_t> MemorySampler::time_of(SeriesStep step) {
  if (!header_.uptime_ns) {
    ++without_time_;
    return {};
  }
  const auto uptime = static_cast<std::int64_t>(*header_.uptime_ns);
  if (step == SeriesStep::kOtherBoot && last_ns_) {
    if (!header_.time_ns || !last_wall_ns_ || *header_.time_ns <= *last_wall_ns_) return {};
    offset_ns_ =
        static_cast<std::int64_t>(*last_ns_ + (*header_.time_ns - *last_wall_ns_)) - uptime;
    before_.clear();
  }
  const auto time = static_cast<std::uint64_t>(uptime + offset_ns_);
  if (last_ns_ && time <= *last_ns_) return {};
  return time;
}

void MemorySampler::on_header(const Header& header) {
  header_ = header;
  const SeriesStep step = order_.add(header);
  sample_ = {};
  ledger_ = {};
  const auto time = order_.is_left_out() ? std::nullopt : time_of(step);
  is_taken_ = time.has_value();
  if (!is_taken_) return;
  sample_.time_ns = *time;
  sample_.wall_ns = header.time_ns;
  sample_.page_size = header.page_size;
  last_ns_ = *time;
  last_wall_ns_ = header.time_ns;
  sizes_.clear();
  faults_.on_header(header);
  ledger_.on_header(header);
}

void MemorySampler::on_counters(std::span<const Counter> counters) {
  sizes_.add(counters);
  faults_.on_counters(counters);
  ledger_.on_counters(counters);
}

void MemorySampler::on_task(const Task& task) {
  faults_.on_task(task);
  ledger_.on_task(task);
}

void MemorySampler::on_process(const Process& process) {
  if (!is_taken_ || process.is_kernel_thread()) return;
  sample_.processes.push_back({ProcessId::of(process.task),
                               process.task.comm,
                               use_of(process, sizes_, header_.page_size),
                               {}});
}

/// Processes of the snapshot before are forgotten, except for the counts of those that still run.
void MemorySampler::add_faults() {
  std::map<ProcessId, Counts> now;
  for (const ProcessCounters& process : faults_.sample().processes)
    now.try_emplace(process.id, process.minors, process.majors);
  for (ProcessSample& process : sample_.processes) {
    const auto after = now.find(process.id);
    const auto before = before_.find(process.id);
    if (after == now.end() || before == before_.end()) continue;
    const auto [minors, majors] = after->second;
    const auto [minors_before, majors_before] = before->second;
    if (minors >= minors_before && majors >= majors_before)
      process.faults = {minors - minors_before, majors - majors_before};
  }
  before_ = std::move(now);
}

void MemorySampler::on_end() {
  if (!is_taken_) return;
  faults_.on_end();
  add_faults();
  if (ledger_.is_known()) sample_.classes = class_pages(ledger_);
  const SystemCounters& system = faults_.sample().system;
  sample_.available_kib = system.available_kib;
  if (system.swap_total_kib && system.swap_free_kib)
    sample_.swap_used_kib = *system.swap_total_kib - *system.swap_free_kib;
  ++samples_;
  take_(sample_);
}

}  // namespace physmem
