// SPDX-License-Identifier: MIT
#include "paging/source/file_source.h"

#include <algorithm>
#include <utility>

#include "analyzer/parse/open_source.h"

namespace physmem {
namespace {

constexpr int kMaxItems = 4096;  ///< items per pump()

/// The time of an item that has one.
std::optional<std::uint64_t> time_of(
    const std::variant<TraceHeader, PagingEvent, LostEvents>& item) {
  if (const auto* event = std::get_if<PagingEvent>(&item)) return event->time_ns;
  if (const auto* lost = std::get_if<LostEvents>(&item)) return lost->time_ns;
  return {};
}

}  // namespace

Result<std::unique_ptr<FileSource>> FileSource::open(const std::string& path, Options options) {
  auto bytes = open_source(path);
  if (!bytes) return bytes.error();
  return std::make_unique<FileSource>(std::move(*bytes), path == "-" ? "standard input" : path,
                                      options);
}

FileSource::FileSource(std::unique_ptr<ByteSource> bytes, const std::string& name, Options options,
                       Clock& clock)
    : options_(options),
      clock_(clock),
      bytes_(std::move(bytes)),
      reader_(*bytes_, name, {options.keep_going}),
      order_(queue_) {}

FileSource::~FileSource() = default;

/// Reads until an item is available or the input ends.
void FileSource::fill() {
  while (queue_.items.empty() && !has_ended_) {
    const Result<bool> more = reader_.next(order_);
    if (more && *more) continue;
    has_ended_ = true;
    if (!more) error_ = more.error();
    order_.flush();
  }
}

/// The moment at which the trace's time is `time_ns`; far in the future while paused.
Clock::TimePoint FileSource::due(std::uint64_t time_ns) const {
  if (time_ns <= *anchor_ns_) return anchor_;
  constexpr double kFar = 1e18;  // ns, 30 years: beyond it the clock would overflow
  const double wait = static_cast<double>(time_ns - *anchor_ns_) / options_.speed;
  return anchor_ + std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(wait, kFar)));
}

bool FileSource::is_due(const Item& item, Clock::TimePoint now) {
  const std::optional<std::uint64_t> time_ns = time_of(item);
  if (!time_ns) return true;
  if (is_paused_) return false;
  if (options_.speed == 0) {
    anchor_ns_ = time_ns;
    anchor_ = now;
    return true;
  }
  if (!anchor_ns_) {
    anchor_ns_ = time_ns;
    anchor_ = now;
  }
  return due(*time_ns) <= now;
}

/// Keeps the current position when the speed changes.
void FileSource::anchor(Clock::TimePoint now) {
  if (!anchor_ns_) return;
  if (!is_paused_ && options_.speed > 0) {
    const auto passed =
        std::chrono::duration<double, std::nano>(now - anchor_).count() * options_.speed;
    *anchor_ns_ += static_cast<std::uint64_t>(std::max(0.0, passed));
  }
  anchor_ = now;
}

void FileSource::set_speed(double speed) {
  anchor(clock_.now());
  options_.speed = std::max(speed, 0.0);
}

void FileSource::set_paused(bool is_paused) {
  anchor(clock_.now());
  is_paused_ = is_paused;
}

void FileSource::wait(std::chrono::milliseconds timeout) const {
  std::chrono::nanoseconds time = timeout;
  if (!is_paused_ && anchor_ns_)
    time = std::min(time,
                    std::chrono::nanoseconds(due(*time_of(queue_.items.front())) - clock_.now()));
  clock_.wait_for(time, {});
}

Result<EventSource::State> FileSource::pump(PagingSink& sink, std::chrono::milliseconds timeout) {
  const Clock::TimePoint now = clock_.now();
  for (int i = 0; i < kMaxItems; ++i) {
    fill();
    if (queue_.items.empty()) break;
    const Item& item = queue_.items.front();
    if (!is_due(item, now)) {
      if (i == 0) wait(timeout);
      return State::kMore;
    }
    std::visit(
        [&sink](const auto& what) {
          using What = std::decay_t<decltype(what)>;
          if constexpr (std::is_same_v<What, TraceHeader>) sink.on_header(what);
          if constexpr (std::is_same_v<What, PagingEvent>) sink.on_event(what);
          if constexpr (std::is_same_v<What, LostEvents>) sink.on_lost(what);
        },
        item);
    queue_.items.pop_front();
  }
  if (!queue_.items.empty() || !has_ended_) return State::kMore;
  if (error_) return *error_;
  return State::kEnd;
}

}  // namespace physmem
