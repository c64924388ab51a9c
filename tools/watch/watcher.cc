// SPDX-License-Identifier: MIT
#include "tools/watch/watcher.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "collector-proc/schedule.h"
#include "program/signals.h"

namespace physmem::watch {
namespace {

/// Passes a sample to both receivers. Only the second receives tasks.
class Both final : public Events {
 public:
  Both(ReclaimActivity& activity, Events& all) : activity_(activity), all_(all) {}

  void on_header(const Header& header) override {
    activity_.on_header(header);
    all_.on_header(header);
  }
  void on_counters(std::span<const Counter> counters) override {
    activity_.on_counters(counters);
    all_.on_counters(counters);
  }
  void on_task(Task&& task) override { all_.on_task(std::move(task)); }
  void on_end(const SnapshotEnd& end) override { all_.on_end(end); }

 private:
  ReclaimActivity& activity_;
  Events& all_;
};

constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace

Watcher::Watcher(const Plan& plan, SampleSource& source, PressureWait& pressure, SampleSink& sink,
                 std::ostream& out, Clock& clock)
    : plan_(plan),
      source_(source),
      pressure_(pressure),
      sink_(sink),
      out_(out),
      clock_(clock),
      end_ns_(plan.max_ns != 0 ? clock.now_ns() + plan.max_ns : kNever) {}

bool Watcher::is_over() const {
  return interrupted() || (plan_.max_samples != 0 && samples_ >= plan_.max_samples) ||
         clock_.now_ns() >= end_ns_;
}

Status Watcher::run() {
  while (!is_over()) {
    if (!plan_.is_always_awake && pressure_.wait(end_ns_) != Waited::kPressure) break;
    if (Status status = sample_until_quiet(); !status) return status;
  }
  return {};
}

Status Watcher::sample_until_quiet() {
  collect::Schedule schedule(clock_.now_ns(), plan_.interval_ns);
  std::uint64_t last_reclaim_ns = schedule.deadline_ns();
  activity_.reset();
  while (!is_over()) {
    if (Status status = sample(); !status) return status;
    const std::uint64_t now = clock_.now_ns();
    if (activity_.is_going_on() || sink_.is_busy()) last_reclaim_ns = now;
    if (!plan_.is_always_awake && now - last_reclaim_ns >= plan_.quiet_ns) {
      sink_.on_rest(out_);
      out_.flush();
      break;
    }
    skipped_ += schedule.advance(now);
    clock_.wait_until(std::min(schedule.deadline_ns(), end_ns_), {});
  }
  return {};
}

Status Watcher::sample() {
  Both both(activity_, sink_.events());
  if (Status status = source_.sample(both); !status) return status;
  const bool is_compared = std::exchange(has_first_, true);
  if (is_compared || !plan_.is_always_awake) ++samples_;
  sink_.on_sample(out_);
  out_.flush();
  if (!out_) return silent_error();  // the reader has closed the pipe
  return {};
}

}  // namespace physmem::watch
