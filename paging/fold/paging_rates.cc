// SPDX-License-Identifier: MIT
#include "paging/fold/paging_rates.h"

namespace physmem {
namespace {

constexpr std::uint32_t kSecondMs = 1000;
constexpr std::uint32_t kMinuteMs = 60 * kSecondMs;

/// Adds to the step of the event's time, because time may have advanced beyond the event.
void add(std::deque<PagingRate>& rates, const PackedEvent& event, std::uint32_t step_ms) {
  const std::uint32_t begin = event.time_ms - event.time_ms % step_ms;
  const std::size_t back = (rates.back().begin_ms - begin) / step_ms;
  PagingRate& rate = back < rates.size() ? rates[rates.size() - 1 - back] : rates.front();
  if (event.is_move()) ++(event.is_in() ? rate.ins : rate.outs);
  if (event.has(PM_PAGING_MAJOR)) ++rate.major;
  if (!event.is_in() || !event.is_move() || event.service_us == PackedEvent::kNoService) return;
  rate.service_us += event.service_us;
  ++rate.timed;
}

}  // namespace

void PagingRates::advance(std::deque<PagingRate>& rates, std::uint32_t now_ms,
                          std::uint32_t step_ms, std::size_t limit) {
  const std::uint32_t now = now_ms - now_ms % step_ms;
  if (!rates.empty() && rates.back().begin_ms >= now) return;
  const std::uint32_t span = static_cast<std::uint32_t>(limit) * step_ms;
  if (!rates.empty() && now - rates.back().begin_ms >= span) rates.clear();
  // After a gap longer than the whole history, adds only the zeros that fit, starting at a whole
  // minute.
  const std::uint32_t least = now >= span ? (now - span + kMinuteMs) / kMinuteMs * kMinuteMs : 0;
  std::uint32_t next = rates.empty() ? least : rates.back().begin_ms + step_ms;
  for (; next <= now; next += step_ms) {
    rates.push_back({next, 0, 0, 0, 0, 0});
    if (next > ~std::uint32_t{0} - step_ms) break;
  }
  // Removes whole minutes, so that the seconds begin where the minutes end.
  const bool is_full = rates.size() > limit;
  while (rates.size() > limit || (is_full && rates.front().begin_ms % kMinuteMs != 0))
    rates.pop_front();
}

void PagingRates::advance(std::uint32_t now_ms) {
  advance(seconds_, now_ms, kSecondMs, kMaxSeconds);
  advance(minutes_, now_ms, kMinuteMs, kMaxMinutes);
}

void PagingRates::apply(const PackedEvent& event) {
  if (event.kind == PM_PAGING_LOST) return;
  advance(event.time_ms);
  add(seconds_, event, kSecondMs);
  add(minutes_, event, kMinuteMs);
}

}  // namespace physmem
