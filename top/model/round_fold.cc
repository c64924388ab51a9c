// SPDX-License-Identifier: MIT
#include "top/model/round_fold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace physmem::top {
namespace {

Memory memory_of(const MemoryTotals& totals) {
  return {.total = totals.total().value_or(0),
          .parts = totals.parts(),
          .swap_total = totals.swap(),
          .swap_free = totals.swap_free(),
          .available = totals.available()};
}

}  // namespace

void RoundFold::on_header(const Header& header) {
  header_ = header;
  before_.clear();
  for (ProcessPointer& process : round_.processes) before_[process->pid] = std::move(process);
  round_ = {};
  round_.host = header.host;
  round_.time_ns = header.time_ns;
  round_.uptime_ns = header.uptime_ns.value_or(0);
  round_.hz = header.hz;
  sizes_.clear();
  totals_.on_header(header);
  sampler_.on_header(header);
}

void RoundFold::on_counters(std::span<const Counter> counters) {
  sampler_.on_counters(counters);
  totals_.on_counters(counters);
  sizes_.add(counters);
  for (const Counter& counter : counters)
    if (counter.name == "load.1m_centi") round_.load_centi = counter.value;
}

void RoundFold::take_areas(const Process& process, ProcessSizes& sizes) const {
  Basic basic;
  basic.on_process(process);
  const BasicRow& row = basic.rows().front();
  const PaperColumns columns(row.physical);
  const PageSize page = header_.page_size;
  sizes.rss = page.kib(columns.total());
  sizes.swap = page.kib(row.swapped);
  sizes.uss = page.kib(row.unique);
  const double page_kib = static_cast<double>(page.bytes) / 1024;
  if (row.is_share_known) sizes.pss = static_cast<Kib>(std::llround(row.share.pages() * page_kib));
}

void RoundFold::on_process(const Process& process) {
  if (process.is_kernel_thread()) return;
  const Task& task = process.task;
  ProcessState state;
  state.pid = process.pid();
  state.start_time = task.identity ? task.identity->start_time : 0;
  state.uid = task.identity ? task.identity->uid : 0;
  state.command = task.comm;
  state.minors = task.group ? task.group->min_flt : task.min_flt;
  state.majors = task.group ? task.group->maj_flt : task.maj_flt;
  state.ticks = task.group ? task.group->utime + task.group->stime : task.utime + task.stime;
  ProcessSizes sizes = sizes_.of(state.pid);
  if (!process.areas.empty() && !sizes.rss) take_areas(process, sizes);
  state.rss = sizes.rss;
  state.swap = sizes.swap;
  state.uss = sizes.uss;
  state.pss = sizes.pss;
  const auto before = before_.find(state.pid);
  const std::string& cgroup = task.group ? task.group->cgroup : std::string();
  const bool is_known = before != before_.end();
  state.cgroup =
      is_known && before->second->cgroup == cgroup ? before->second->cgroup : Name(cgroup);
  round_.processes.push_back(is_known && *before->second == state
                                 ? before->second
                                 : std::make_shared<const ProcessState>(std::move(state)));
}

void RoundFold::on_end() {
  sampler_.on_end();
  std::stable_sort(round_.processes.begin(), round_.processes.end(),
                   [](const auto& a, const auto& b) { return a->pid < b->pid; });
  if (totals_.total()) round_.memory = memory_of(totals_);
  judge();
}

void RoundFold::judge() {
  FaultSample now = sampler_.sample();
  if (sample_before_) {
    const FaultWindow window = difference(*sample_before_, now, seconds_);
    seconds_ = window.end;
    const WindowVerdict verdict = detector_.judge(window);
    round_.verdict =
        Verdict{verdict.level, verdict.refault_condition, window.system, window.has_times};
  }
  sample_before_ = std::move(now);
}

}  // namespace physmem::top
