// SPDX-License-Identifier: MIT
#include "viewer/trace_feed.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace physmem::view {
namespace {

constexpr std::uint64_t kMsNs = 1'000'000;
/// Maximum step back in time that is caused by CPUs and sorting. A larger one means a reboot.
constexpr std::uint64_t kAnotherBootNs = 10'000 * kMsNs;

unsigned page_shift(const TraceHeader& header) {
  return header.page_size == 0 ? 12 : static_cast<unsigned>(std::countr_zero(header.page_size));
}

}  // namespace

TraceFeed::TraceFeed(PagingTimeline::Limits limits, std::size_t owned_frames)
    : limits_(limits),
      owned_frames_(owned_frames),
      owners_(owned_frames),
      timeline_(std::make_unique<PagingTimeline>(12, limits)) {}

void TraceFeed::on_header(const TraceHeader& header) {
  const bool is_other_page_size = page_shift(header) != page_shift(header_);
  header_ = header;
  ++headers_;
  if (is_other_page_size) reset();
}

void TraceFeed::reset() {
  timeline_ = std::make_unique<PagingTimeline>(page_shift(header_), limits_);
  owners_ = FrameOwner(owned_frames_);
  has_events_ = false;
  ++generation_;
}

std::uint32_t TraceFeed::time_ms(std::uint64_t time_ns) {
  if (has_events_ && time_ns + kAnotherBootNs < last_ns_) reset();
  if (!has_events_) begin_ns_ = last_ns_ = time_ns;
  has_events_ = true;
  last_ns_ = std::max(last_ns_, time_ns);
  ahead_ms_ = 0;
  const std::uint64_t ms = time_ns < begin_ns_ ? 0 : (time_ns - begin_ns_) / kMsNs;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(ms, std::numeric_limits<std::uint32_t>::max() - 1));
}

void TraceFeed::on_event(const PagingEvent& recorded) {
  PackedEvent packed;
  packed.time_ms = time_ms(recorded.time_ns);  // may reset the owners
  const PagingEvent& event = owned_frames_ == 0 ? recorded : owners_.infer(recorded);
  packed.sequence = event.sequence;
  packed.address = event.address.value_or(PM_PAGING_UNKNOWN);
  packed.pfn = event.pfn.value_or(PM_PAGING_UNKNOWN);
  packed.slot = event.slot.value_or(PM_PAGING_UNKNOWN);
  packed.sector = event.sector.value_or(PM_PAGING_UNKNOWN);
  if (event.service_ns)
    packed.service_us = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(*event.service_ns / 1000, PackedEvent::kNoService - 1));
  packed.pid = event.pid.value_or(0);
  packed.tgid = event.tgid.value_or(0);
  packed.comm = names_.number(event.comm);
  packed.flags = static_cast<std::uint16_t>(event.flags);
  packed.kind = static_cast<std::uint8_t>(event.kind);
  packed.swap_type = event.swap_type.value_or(PM_PAGING_NO_TYPE);
  timeline_->add(packed);
}

void TraceFeed::on_lost(const LostEvents& lost) {
  PackedEvent packed;
  // A loss is detected late, perhaps with another clock, so its time is not used.
  packed.time_ms = timeline_->present().event_ms();
  packed.kind = PM_PAGING_LOST;
  packed.slot = lost.count;
  timeline_->add(packed);
}

void TraceFeed::at(Clock::time_point now, double speed) {
  const double passed_ms =
      std::chrono::duration<double, std::milli>(now - std::exchange(now_, now)).count();
  if (!has_events_ || has_ended) return;
  ahead_ms_ += passed_ms * speed;
  const double ms = timeline_->present().event_ms() + ahead_ms_;
  timeline_->advance(static_cast<std::uint32_t>(std::min(ms, 4294967294.0)));
}

std::int64_t TraceFeed::wall_ms() const {
  const std::int64_t begin = has_events_ ? static_cast<std::int64_t>(begin_ns_) : 0;
  return (header_.wall_offset_ns + begin) / static_cast<std::int64_t>(kMsNs);
}

}  // namespace physmem::view
