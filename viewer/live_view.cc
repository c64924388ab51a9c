// SPDX-License-Identifier: MIT
#include "viewer/live_view.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>
#include <vector>

namespace physmem::view {
namespace {

using namespace std::chrono_literals;

/// Shortens the intervals slightly, so that a server that polls 30 times per second does not miss
/// every other one.
constexpr auto kSlack = 3ms;
/// Time between two steps while the past is played.
constexpr auto kPlayStep = 30ms;
constexpr std::array<std::chrono::milliseconds, 9> kIntervals{33ms,  33ms,  200ms, 200ms, 100ms,
                                                              100ms, 500ms, 500ms, 500ms};
/// Rates of the last second are sent again, because some of its events may arrive later.
constexpr std::uint32_t kRatesAgainMs = 1000;

}  // namespace

LiveView::LiveView(LiveShared& shared) : shared_(shared) {
  ++shared_.clients;
  overview_.is_wanted = true;
}

LiveView::~LiveView() {
  --shared_.clients;
  if (past_) --shared_.in_the_past;
}

void LiveView::receive(std::string_view text) {
  const auto command = parse_command(text);
  if (command)
    std::visit([this](const auto& c) { apply(c); }, *command);
  else
    error_ = command.error().text;
}

void LiveView::apply(const WantPages& want) {
  pages_ = {};
  pages_.is_wanted = true;
  pages_.block = want.block;
  due_[kPages] = {};
}

void LiveView::apply(const WantSlots& want) {
  if (!slot_overview_.is_wanted || slot_overview_.area != want.area) slot_overview_.invalidate();
  slot_overview_.is_wanted = true;
  slot_overview_.area = want.area;
  slots_ = {};
  slots_.is_wanted = true;
  slots_.area = want.area;
  slots_.block = want.block;
  due_[kSlots] = {};
}

void LiveView::apply(const WantProcess& want) {
  tgid_ = want.tgid;
  process_sent_ = 0;
  due_[kProcess] = {};
}

void LiveView::apply(const WantLog& want) {
  log_.request(want);
}

void LiveView::apply(const WantLogBefore& want) {
  log_.request(want);
}

void LiveView::apply(const WantMoment&) {
  error_ = "\"want\": a trace has no snapshots";
}

void LiveView::apply(const WantViews& want) {
  if (want.pages && !views_.pages) pages_.invalidate();
  if (want.pages && !views_.pages) overview_.invalidate();
  if (want.slots && !views_.slots) slots_.invalidate();
  if (want.slots && !views_.slots) slot_overview_.invalidate();
  if (want.log && !views_.log) log_.invalidate();
  if (want.statistics && !views_.statistics) rates_whole_ = true;
  views_ = want;
}

void LiveView::apply(const Inspect& what) {
  inspect_ = what;
}

void LiveView::apply(const MoveCursor& move) {
  move_ = move;
}

void LiveView::apply(const Replay& replay) {
  if (shared_.control)
    shared_.control(replay);
  else
    error_ = "\"replay\": no file is being replayed, so its speed cannot be changed";
}

const PagingState& LiveView::state() const {
  return past_ ? *past_ : shared_.feed.timeline().present();
}

void LiveView::invalidate_all() {
  pages_.invalidate();
  slots_.invalidate();
  overview_.invalidate();
  slot_overview_.invalidate();
  log_.invalidate();
  process_sent_ = 0;
  last_state_.clear();
  last_processes_.clear();
  rates_whole_ = true;
  due_ = {};
}

/// Starts over after a reboot of the traced machine.
void LiveView::check_generation() {
  if (generation_ == shared_.feed.generation()) return;
  generation_ = shared_.feed.generation();
  leave_past();
  headers_ = ~std::uint64_t{0};
  invalidate_all();
}

void LiveView::leave_past() {
  if (past_) --shared_.in_the_past;
  past_.reset();
  playing_.reset();
}

void LiveView::move_cursor() {
  const auto move = std::exchange(move_, {});
  if (!move) return;
  const PagingTimeline& timeline = shared_.feed.timeline();
  if (!move->time_ms) {
    leave_past();
    invalidate_all();
    return;
  }
  if (!past_ && shared_.in_the_past >= kMaxInThePast) {
    error_ =
        "\"cursor\": too many other pages show the past, so the server has no memory for another";
    return;
  }
  const std::uint32_t time_ms =
      std::clamp(*move->time_ms, timeline.history_from_ms(),
                 std::max(timeline.history_from_ms(), timeline.present().now_ms()));
  if (!past_) ++shared_.in_the_past;
  if (past_)
    timeline.move(*past_, time_ms);
  else
    past_ = timeline.at(time_ms);
  playing_.reset();
  if (move->is_playing) playing_ = Playing{static_cast<double>(time_ms)};
  invalidate_all();
}

/// Speed of the trace's time relative to real time.
double LiveView::play_speed() const {
  if (!shared_.replay) return 1;
  return shared_.replay->is_paused ? 0 : shared_.replay->speed;
}

/// Advances the past moment. The page already has everything up to it and gets only later data,
/// also when it reaches the present.
void LiveView::play(Time now) {
  if (!playing_ || !playing_->at || now - *playing_->at < kPlayStep) return;
  const double passed_ms = std::chrono::duration<double, std::milli>(now - *playing_->at).count();
  playing_->ms += passed_ms * play_speed();
  playing_->at = now;
  const PagingTimeline& timeline = shared_.feed.timeline();
  if (playing_->ms >= timeline.present().now_ms()) return leave_past();
  timeline.move(*past_, static_cast<std::uint32_t>(playing_->ms));
}

std::optional<Message> LiveView::next(Time now) {
  check_generation();
  move_cursor();
  play(now);
  if (auto message = urgent()) return message;
  for (std::size_t i = 0; i < kParts; ++i) {
    const std::size_t which = (turn_ + i) % kParts;
    if (due_[which] > now) continue;
    auto message = part(static_cast<Part>(which), now);
    if (message || which >= kState) due_[which] = now + kIntervals[which] - kSlack;
    if (!message) continue;
    turn_ = which + 1;
    return message;
  }
  return {};
}

/// Messages that have priority.
std::optional<Message> LiveView::urgent() {
  if (headers_ != shared_.feed.headers() || replay_ != shared_.replay) {
    headers_ = shared_.feed.headers();
    replay_ = shared_.replay;
    // The next state contains the moment at which the replay was paused.
    last_state_.clear();
    due_[kState] = {};
    return hello_message(shared_.feed, replay_, shared_.follows);
  }
  if (const auto error = std::exchange(error_, {})) return error_message(*error);
  if (const auto what = std::exchange(inspect_, {}))
    return inspection_message(state(), *what, shared_.feed);
  return log_.earlier(shared_.feed.timeline().events(), state().events() + 1, shared_.feed.names());
}

std::optional<Message> LiveView::part(Part part, Time now) {
  const PageActivity& pages = state().pages();
  switch (part) {
    case kPages:
      return views_.pages ? cells(1, pages_, &pages.frames()) : std::nullopt;
    case kSlots:
      return views_.slots ? cells(2, slots_, pages.slots(slots_.area)) : std::nullopt;
    case kOverview:
      return views_.pages ? overview(3, overview_, &pages.frames()) : std::nullopt;
    case kSlotOverview:
      return views_.slots ? overview(5, slot_overview_, pages.slots(slot_overview_.area))
                          : std::nullopt;
    case kState:
      return state_part(now);
    case kLog:
      return views_.log ? log_.next(shared_.feed.timeline().events(), state().events() + 1,
                                    shared_.feed.names(), now)
                        : std::nullopt;
    case kProcess:
      return views_.processes ? process_part() : std::nullopt;
    case kProcesses:
      return views_.processes ? processes_part() : std::nullopt;
    case kRates:
      return views_.statistics ? rates_part() : std::nullopt;
    case kParts:
      break;
  }
  return {};
}

std::optional<Message> LiveView::cells(int kind, Shown& shown, const PageActivity::Blocks* blocks) {
  if (!shown.is_wanted) return {};
  const ActivityBlock* block = blocks == nullptr ? nullptr : blocks->find(shown.block);
  auto message = cells_message(kind, shown.area, shown.block, block, shown.since, shown.is_whole);
  shown.since = state().events();
  shown.is_whole = false;
  return message;
}

std::optional<Message> LiveView::overview(int kind, Shown& shown,
                                          const PageActivity::Blocks* blocks) {
  if (!shown.is_wanted) return {};
  auto message =
      overview_message(kind, shown.area, blocks, state().now_ms(), shown.since, shown.is_whole);
  shown.since = state().events();
  shown.is_whole = false;
  return message;
}

std::optional<Message> LiveView::state_part(Time now) {
  if (playing_ && !playing_->at) playing_->at = now;
  const PagingTimeline& timeline = shared_.feed.timeline();
  Message message =
      state_message(state(), {!past_.has_value(), playing_.has_value(), shared_.feed.has_ended,
                              timeline.history_from_ms(), timeline.present().now_ms(),
                              log_.skipped(), shared_.clients, shared_.feed.trouble});
  if (message.bytes == last_state_) return {};
  last_state_ = message.bytes;
  return message;
}

std::optional<Message> LiveView::process_part() {
  if (tgid_ == 0) return {};
  // Events of other processes count too, because they may take over frames of this process.
  if (process_sent_ == state().events() + 1) return {};
  process_sent_ = state().events() + 1;
  return process_message(state(), tgid_, shared_.feed.names());
}

std::optional<Message> LiveView::processes_part() {
  Message message = processes_message(state(), shared_.feed.names());
  if (message.bytes == last_processes_) return {};
  last_processes_ = message.bytes;
  return message;
}

std::optional<Message> LiveView::rates_part() {
  const PagingRates& rates = state().rates();
  const std::uint32_t last = rates.seconds().empty() ? 0 : rates.seconds().back().begin_ms;
  if (!rates_whole_ && rates_event_ == state().events() &&
      last < rates_from_ms_ + kRatesAgainMs + 1)
    return {};
  const bool is_whole = std::exchange(rates_whole_, false);
  Message message = rates_message(rates, is_whole ? 0 : rates_from_ms_, is_whole);
  rates_from_ms_ = last - std::min(last, kRatesAgainMs);
  rates_event_ = state().events();
  return message;
}

}  // namespace physmem::view
