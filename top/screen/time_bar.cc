// SPDX-License-Identifier: MIT
#include "top/screen/time_bar.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "program/duration.h"

namespace physmem::top {
namespace {

Level level_at(const History& history, std::size_t index) {
  const auto& verdict = history.at(index).verdict;
  return verdict ? verdict->level : Level::kUnknown;
}

bool is_event(const History& history, std::size_t index) {
  const Level level = level_at(history, index);
  const Level before = index == 0 ? Level::kUnknown : level_at(history, index - 1);
  return level >= Level::kRecovering && level > before;
}

/// As in the table of levels: . idle, - reclaim, R recovering, H held back, 2 to 5.
char letter_of(Level level) {
  constexpr std::string_view kLetters = "?.-RH2345";
  return kLetters[static_cast<std::size_t>(level)];
}

Style style_in_bar(Level level) {
  return level >= Level::kThrashing    ? Style::kAlert
         : level >= Level::kRecovering ? Style::kWarning
         : level == Level::kUnknown    ? Style::kDim
                                       : Style::kPlain;
}

std::int64_t seconds_at(const History& history, std::size_t index) {
  return static_cast<std::int64_t>(history.at(index).time_ns.value_or(0) / kSecondNs);
}

/// "03:00", or nothing.
std::string clock_at(const History& history, std::size_t index) {
  return history.at(index).time_ns ? clock_text(seconds_at(history, index)).substr(0, 5) : "";
}

}  // namespace

Result<std::size_t> sample_at(const History& history, const Moment& moment) {
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (!history.at(i).time_ns) return Error{Error::Kind::kBadInput, "found samples without times"};
    times.push_back(seconds_at(history, i));
  }
  return index_at(moment, times);
}

std::optional<std::size_t> next_event(const History& history, std::size_t index, bool is_back) {
  while (is_back ? index-- > 0 : ++index < history.size())
    if (is_event(history, index)) return index;
  return std::nullopt;
}

Line time_bar(const History& history, std::size_t index, std::size_t columns) {
  const std::string from = clock_at(history, 0), to = clock_at(history, history.size() - 1);
  const std::size_t used = from.size() + to.size() + 4;
  const std::size_t cells = std::min(history.size(), columns > used ? columns - used : 1);
  const auto cell_of = [&](std::size_t sample) { return sample * cells / history.size(); };
  std::vector<Level> levels(cells, Level::kUnknown);
  for (std::size_t i = 0; i < history.size(); ++i) {
    Level& most = levels[cell_of(i)];
    most = std::max(most, level_at(history, i));
  }
  Line line{{Style::kDim, from + " ["}};
  for (std::size_t i = 0; i < cells; ++i) {
    const Style style = i == cell_of(index) ? Style::kSelected : style_in_bar(levels[i]);
    if (line.back().style != style || line.size() == 1) line.push_back({style, ""});
    line.back().text += letter_of(levels[i]);
  }
  line.push_back({Style::kDim, "] " + to});
  return line;
}

}  // namespace physmem::top
