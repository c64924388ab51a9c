// SPDX-License-Identifier: MIT
#include "analyzer/report/counter_trace.h"

namespace physmem {

void CounterTrace::add(const CounterSample& sample) {
  if (samples_++ == 0 && sample.wall_ns) perfetto_.set_clock(sample.time_ns, *sample.wall_ns);
  for (const CounterGroup& group : sample.groups) {
    Group& known = group_of(group);
    for (const CounterValue& counter : group.counters) {
      Track& track = track_of(known, counter);
      track.sample = samples_;
      perfetto_.counter(track.id, sample.time_ns, counter.value);
    }
  }
  end_missing(sample.time_ns);
}

CounterTrace::Group& CounterTrace::group_of(const CounterGroup& group) {
  Group& known = groups_[group.key];
  known.sample = samples_;
  if (known.id != 0) return known;
  known.id = ++tracks_;
  known.is_process = group.pid != 0;
  if (known.is_process)
    perfetto_.add_process(known.id, group.pid, group.name);
  else
    perfetto_.add_track(known.id, group.name);
  return known;
}

CounterTrace::Track& CounterTrace::track_of(Group& group, const CounterValue& counter) {
  Track& track = group.counters[counter.name];
  if (track.id != 0) return track;
  track.id = ++tracks_;
  perfetto_.add_counter(track.id, counter.name,
                        {group.id, counter.is_bytes ? CounterUnit::kBytes : CounterUnit::kCount});
  return track;
}

void CounterTrace::end_missing(std::uint64_t time_ns) {
  for (auto at = groups_.begin(); at != groups_.end();) {
    const Group& group = at->second;
    const bool has_ended = group.sample != samples_;
    for (const auto& [name, track] : group.counters)
      if (track.sample != samples_ && (has_ended || !group.is_process))
        perfetto_.counter(track.id, time_ns, 0);
    at = has_ended ? groups_.erase(at) : std::next(at);
  }
}

}  // namespace physmem
