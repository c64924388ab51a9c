// SPDX-License-Identifier: MIT
// Events of a thrashing machine. Three processes sweep more memory than fits, so each swap-in uses
// a frame that a swap-out has just freed. Equal numbers give equal events.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "paging/source/event_source.h"

namespace physmem {

class SyntheticSource : public EventSource {
 public:
  struct Plan {
    std::uint64_t events_per_second = 1000;
    std::uint64_t max_events = ~std::uint64_t{0};
    std::uint64_t frames = 131040;
    std::uint64_t slots = 262144;
    bool is_paced = true;  ///< by the clock; if false, 10000 events per call
  };

  explicit SyntheticSource(Plan plan) : plan_(plan) {}

  Result<State> pump(PagingSink& sink, std::chrono::milliseconds) override {
    if (!has_begun_) begin(sink);
    const std::uint64_t end = plan_.is_paced ? due() : made_ + 10000;
    for (; made_ < std::min(end, plan_.max_events); ++made_) sink.on_event(event(made_));
    return made_ < plan_.max_events ? State::kMore : State::kEnd;
  }

  std::uint64_t made() const { return made_; }

  /// The i-th event, from 0. A page leaves its frame, and then another page is read into it.
  PagingEvent event(std::uint64_t i) const {
    const std::uint64_t step = i / 2;
    const bool is_in = i % 2 == 1;
    PagingEvent event;
    event.sequence = i + 1;
    event.time_ns = kBegin + i * 1'000'000'000 / plan_.events_per_second;
    event.kind = is_in ? PagingKind::kIn : PagingKind::kOut;
    event.pfn = 0x100 + step % (plan_.frames - 0x200);
    event.slot = (is_in ? step + plan_.slots / 2 : step) % plan_.slots;
    const auto process = static_cast<std::uint32_t>(300 + *event.slot % 3);
    event.tgid = event.pid = process;
    event.comm = process == 300 ? "first" : process == 301 ? "second" : "third";
    event.address = 0x7F0000000000 + (*event.slot / 3) * 4096;
    event.swap_type = 0;
    event.sector = *event.slot * 8;
    event.flags = PM_PAGING_IO | (is_in ? PM_PAGING_MAJOR : PM_PAGING_OWNER_MAPPED);
    if (is_in) event.service_ns = 80'000 + step % 400 * 1000;
    return event;
  }

  TraceHeader header() const {
    TraceHeader header;
    header.arch = "x86_64";
    header.kernel = "6.1.0";
    header.source = "synthetic";
    header.memory_bytes = plan_.frames * 4096;
    header.frames_end = plan_.frames;
    header.wall_offset_ns = 1763683200000000000;
    header.swap_areas = {{0, SwapAreaKind::kPartition, plan_.slots, "/dev/vda"}};
    return header;
  }

 private:
  static constexpr std::uint64_t kBegin = 8'100'000'000;
  using Clock = std::chrono::steady_clock;

  void begin(PagingSink& sink) {
    has_begun_ = true;
    sink.on_header(header());
    start_ = Clock::now();
  }
  std::uint64_t due() const {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return static_cast<std::uint64_t>(seconds * static_cast<double>(plan_.events_per_second));
  }

  Plan plan_;
  bool has_begun_ = false;
  std::uint64_t made_ = 0;
  Clock::time_point start_{};
};

}  // namespace physmem
