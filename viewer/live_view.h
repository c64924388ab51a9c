// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "viewer/command.h"
#include "viewer/log_flow.h"
#include "viewer/message.h"
#include "viewer/trace_feed.h"
#include "viewer/view.h"

namespace physmem::view {

/// State shared by all pages.
struct LiveShared {
  const TraceFeed& feed;
  std::size_t clients = 0;
  std::size_t in_the_past = 0;  ///< clients that show the past
  bool follows = false;         ///< pages initially follow the busiest block
  std::optional<ReplayState> replay = {};
  /// Controls the replay; empty if nothing is replayed.
  std::function<void(const Replay&)> control = {};
};

/// Shows the present or the past of a trace. Memory: a past state shares unchanged data with the
/// feed, and at most kMaxInThePast pages have one.
class LiveView : public View {
 public:
  static constexpr std::size_t kMaxInThePast = 4;

  explicit LiveView(LiveShared& shared);
  ~LiveView() override;
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  void receive(std::string_view text) override;
  std::optional<Message> next(Time now) override;

 private:
  enum Part : std::size_t {
    kPages,
    kSlots,
    kOverview,
    kSlotOverview,
    kState,
    kLog,
    kProcess,
    kProcesses,
    kRates,
    kParts
  };

  /// A displayed block, or the overview.
  struct Shown {
    bool is_wanted = false;
    bool is_whole = true;  ///< the next message contains all of it
    std::uint8_t area = 0;
    std::uint64_t block = 0;
    std::uint64_t since = 0;  ///< last event that was sent

    void invalidate() {
      is_whole = true;
      since = 0;
    }
  };

  /// A past moment that advances with time.
  struct Playing {
    double ms;  ///< the moment of the trace
    /// Time of the last advance; empty until a `state` message has reported that it is playing.
    std::optional<Time> at{};
  };

  void apply(const WantPages& want);
  void apply(const WantSlots& want);
  void apply(const WantProcess& want);
  void apply(const WantLog& want);
  void apply(const WantLogBefore& want);
  void apply(const WantMoment& want);
  void apply(const WantViews& want);
  void apply(const Inspect& what);
  void apply(const MoveCursor& move);
  void apply(const Replay& replay);

  void invalidate_all();
  void check_generation();
  void move_cursor();
  void leave_past();
  double play_speed() const;
  void play(Time now);
  const PagingState& state() const;
  std::optional<Message> urgent();
  std::optional<Message> part(Part part, Time now);
  std::optional<Message> cells(int kind, Shown& shown, const PageActivity::Blocks* blocks);
  std::optional<Message> overview(int kind, Shown& shown, const PageActivity::Blocks* blocks);
  std::optional<Message> state_part(Time now);
  std::optional<Message> process_part();
  std::optional<Message> processes_part();
  std::optional<Message> rates_part();

  LiveShared& shared_;
  std::uint64_t headers_ = ~std::uint64_t{0};  ///< as of the last hello
  std::optional<ReplayState> replay_;
  std::uint64_t generation_ = 0;
  std::optional<std::string> error_;  ///< the last one
  std::optional<Inspect> inspect_;    ///< the last one
  std::optional<MoveCursor> move_;    ///< the last one
  std::optional<PagingState> past_;   ///< empty: live
  std::optional<Playing> playing_;    ///< empty: the past is paused
  WantViews views_{true, true, true, true, true};
  Shown pages_;
  Shown slots_;
  Shown overview_;
  Shown slot_overview_;  ///< for the area of slots_
  std::uint32_t tgid_ = 0;
  std::uint64_t process_sent_ = 0;  ///< event of the last `process` message + 1; 0: not sent
  LogFlow log_;
  std::string last_state_;
  std::string last_processes_;
  bool rates_whole_ = true;
  std::uint32_t rates_from_ms_ = 0;
  std::uint64_t rates_event_ = 0;
  std::array<Time, kParts> due_{};
  std::size_t turn_ = 0;  ///< the part to ask first
};

}  // namespace physmem::view
