// SPDX-License-Identifier: MIT
// One track per thread with its faults as slices, one track per process with its swap-outs, and two
// counters.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyzer/report/perfetto_writer.h"
#include "paging/model/paging_flags.h"
#include "paging/write/export_writers.h"
#include "program/duration.h"

namespace physmem {
namespace {

// Track ids. Thread and process ids have 32 bits.
constexpr std::uint64_t kInRate = 1;
constexpr std::uint64_t kOutRate = 2;
constexpr std::uint64_t kUnknownOwner = 3;
constexpr std::uint64_t kThreads = std::uint64_t{1} << 32;
constexpr std::uint64_t kProcesses = std::uint64_t{2} << 32;

class PerfettoEvents : public TraceWriter {
 public:
  explicit PerfettoEvents(std::ostream& out) : perfetto_(out) {}

  void on_header(const TraceHeader& header) override { wall_offset_ns_ = header.wall_offset_ns; }
  void on_event(const PagingEvent& event) override {
    begin(event.time_ns);
    count(event);
    if (event.kind == PagingKind::kOut)
      perfetto_.instant(process_of(event), event.time_ns, "swap-out", details_of(event));
    else if (event.service_ns)
      fault(event);
    else
      perfetto_.instant(thread_of(event), event.time_ns,
                        event.has(PM_PAGING_READAHEAD) ? "readahead" : "swap-in",
                        details_of(event));
  }
  void on_lost(const LostEvents& lost) override {
    begin(lost.time_ns);
    perfetto_.instant(kUnknownOwner, lost.time_ns, "events lost", {{"count", lost.count}});
  }
  void end() override {
    write_rates(second_ + 1);
    perfetto_.end();
  }
  void flush() override {}

 private:
  void begin(std::uint64_t time_ns);
  void fault(const PagingEvent& event);
  void count(const PagingEvent& event);
  void write_rates(std::uint64_t now);
  std::uint64_t process_of(const PagingEvent& event);
  std::uint64_t thread_of(const PagingEvent& event);
  static std::vector<TrackDetail> details_of(const PagingEvent& event);

  PerfettoWriter perfetto_;
  std::int64_t wall_offset_ns_ = 0;
  bool has_begun_ = false;
  std::set<std::uint64_t> tracks_;
  std::map<std::uint64_t, std::uint64_t> end_ns_;  // of the last slice, by track
  std::uint64_t second_ = 0;                       // the second that is counted now
  std::uint64_t ins_ = 0;
  std::uint64_t outs_ = 0;
};

void PerfettoEvents::begin(std::uint64_t time_ns) {
  if (std::exchange(has_begun_, true)) return;
  perfetto_.set_clock(time_ns, time_ns + static_cast<std::uint64_t>(wall_offset_ns_));
  perfetto_.add_counter(kInRate, "swap-ins/s");
  perfetto_.add_counter(kOutRate, "swap-outs/s");
  perfetto_.add_track(kUnknownOwner, "owner not known");
  second_ = time_ns / kSecondNs;
}

std::uint64_t PerfettoEvents::process_of(const PagingEvent& event) {
  if (!event.tgid) return kUnknownOwner;
  const std::uint64_t track = kProcesses | *event.tgid;
  if (tracks_.insert(track).second) perfetto_.add_process(track, *event.tgid, event.comm);
  return track;
}

std::uint64_t PerfettoEvents::thread_of(const PagingEvent& event) {
  const std::uint64_t process = process_of(event);
  if (!event.pid || process == kUnknownOwner) return process;
  const std::uint64_t track = kThreads | *event.pid;
  if (tracks_.insert(track).second)
    perfetto_.add_thread(track, *event.tgid, *event.pid, event.comm);
  return track;
}

/// A thread has one fault at a time. If records overlap, the later fault begins at the end of the
/// earlier one.
void PerfettoEvents::fault(const PagingEvent& event) {
  const std::uint64_t track = thread_of(event);
  std::uint64_t& end = end_ns_[track];
  const std::uint64_t begin =
      std::max(end, event.time_ns - std::min(event.time_ns, *event.service_ns));
  end = std::max(end, event.time_ns);
  const char* name = event.has(PM_PAGING_CACHE_HIT) ? "swap-cache hit" : "swap-in";
  perfetto_.slice(track, std::min(begin, end), end, name, details_of(event));
}

void PerfettoEvents::count(const PagingEvent& event) {
  write_rates(event.time_ns / kSecondNs);
  if (!event.has(PM_PAGING_IO)) return;
  ++(event.kind == PagingKind::kIn ? ins_ : outs_);
}

/// Writes the counters of a second that has ended, and zeros for a following second without events.
void PerfettoEvents::write_rates(std::uint64_t now) {
  if (now <= second_ || !has_begun_) return;
  perfetto_.counter(kInRate, second_ * kSecondNs, ins_);
  perfetto_.counter(kOutRate, second_ * kSecondNs, outs_);
  if (now > second_ + 1) {
    perfetto_.counter(kInRate, (second_ + 1) * kSecondNs, 0);
    perfetto_.counter(kOutRate, (second_ + 1) * kSecondNs, 0);
  }
  second_ = now;
  ins_ = outs_ = 0;
}

std::vector<TrackDetail> PerfettoEvents::details_of(const PagingEvent& event) {
  std::vector<TrackDetail> details{{"sequence", event.sequence}};
  const auto add = [&details](std::string_view name, const std::optional<std::uint64_t>& value) {
    if (value) details.push_back({name, TrackDetail::Pointer{*value}});
  };
  add("address", event.address);
  add("frame", event.pfn);
  add("slot", event.slot);
  add("sector", event.sector);
  if (event.flags != 0) details.push_back({"flags", paging_flag_words(event.flags)});
  return details;
}

}  // namespace

std::unique_ptr<TraceWriter> perfetto_events_writer(std::ostream& out) {
  return std::make_unique<PerfettoEvents>(out);
}

}  // namespace physmem
