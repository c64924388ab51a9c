// SPDX-License-Identifier: MIT
#include "viewer/log_flow.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace physmem::view {
namespace {

constexpr double kLinesASecond = 200;
constexpr std::size_t kMaxLines = 20;  ///< per message
constexpr std::size_t kMaxFirstLines = 200;

/// Number of the event with the page's time and sequence, or of the first event at that time if it
/// is not found.
std::uint64_t number_of(const EventHistory& events, const WantLogBefore& want) {
  const std::uint64_t first = want.time_ms == 0 ? events.first() : events.after(want.time_ms - 1);
  const std::uint64_t end = events.after(want.time_ms);
  for (std::uint64_t number = first; number < end; ++number) {
    const PackedEvent* event = events.find(number);
    if (event->kind != PM_PAGING_LOST && event->sequence == want.sequence) return number;
  }
  return first;
}

}  // namespace

void LogFlow::request(const WantLog& want) {
  want_ = want;
  before_.reset();
  invalidate();
}

void LogFlow::fill(View::Time now) {
  const double passed =
      filled_ == View::Time{} ? 1 : std::chrono::duration<double>(now - filled_).count();
  filled_ = now;
  tokens_ = std::min(kLinesASecond, tokens_ + passed * kLinesASecond);
}

bool LogFlow::is_wanted(const PackedEvent& event) const {
  if (event.kind == PM_PAGING_LOST || (want_.tgid != 0 && event.tgid != want_.tgid)) return false;
  return want_.all || event.is_move();
}

/// The last `limit` lines of the events in [begin, end).
LogFlow::Lines LogFlow::last_lines(const EventHistory& events, std::uint64_t begin,
                                   std::uint64_t end, std::size_t limit, bool counts_more) const {
  Lines found;
  for (std::uint64_t number = end; number-- > begin;) {
    const PackedEvent* event = events.find(number);
    if (!is_wanted(*event)) continue;
    if (found.lines.size() < limit) {
      found.lines.push_back(event);
      continue;
    }
    ++found.more;
    if (!counts_more) break;
  }
  std::reverse(found.lines.begin(), found.lines.end());
  return found;
}

std::optional<Message> LogFlow::next(const EventHistory& events, std::uint64_t end,
                                     const NameTable& names, View::Time now) {
  fill(now);
  if (!is_whole_ && (next_ >= end || tokens_ < 1)) return {};
  const bool is_whole = std::exchange(is_whole_, false);
  if (is_whole) {
    const Lines found =
        last_lines(events, events.first(), end, kMaxFirstLines, /*counts_more=*/false);
    next_ = end;
    skipped_ = 0;
    tokens_ = std::max(0.0, tokens_ - static_cast<double>(found.lines.size()));
    return log_message(found.lines, {0, true, {}}, names);
  }
  const std::uint64_t begin = std::max(next_, events.first());
  Lines found =
      last_lines(events, begin, end, std::min(kMaxLines, static_cast<std::size_t>(tokens_)),
                 /*counts_more=*/true);
  // Dropped events cannot be checked against the filter, so they count only without a filter.
  if (want_.tgid == 0) found.more += begin - next_;
  next_ = end;
  skipped_ += found.more;
  tokens_ = std::max(0.0, tokens_ - static_cast<double>(found.lines.size()));
  if (found.lines.empty() && found.more == 0) return {};
  return log_message(found.lines, {found.more, false, {}}, names);
}

std::optional<Message> LogFlow::earlier(const EventHistory& events, std::uint64_t end,
                                        const NameTable& names) {
  const auto want = std::exchange(before_, {});
  if (!want) return {};
  const std::uint64_t before = std::min(end, number_of(events, *want));
  const Lines found =
      last_lines(events, events.first(), before, kMaxFirstLines, /*counts_more=*/false);
  return log_message(found.lines, {0, false, LogBefore{want->sequence, found.more == 0}}, names);
}

}  // namespace physmem::view
