// SPDX-License-Identifier: MIT
#include "top/screen/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <span>
#include <string>

#include "analyzer/shape/faults_shape.h"
#include "analyzer/shape/overview_shape.h"
#include "analyzer/shape/share_cells.h"
#include "program/duration.h"
#include "program/printable.h"
#include "top/screen/fit.h"

namespace physmem::top {
namespace {

/// Of the parts of RAM, by MemoryPart.
constexpr std::array<Style, kMemoryParts> kPartStyles{Style::kAnon,   Style::kShmem, Style::kFile,
                                                      Style::kKernel, Style::kOther, Style::kFree};

std::string time_text(const Round& round, const char* form) {
  if (!round.time_ns) return "";
  const auto seconds = static_cast<std::time_t>(*round.time_ns / kSecondNs);
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return "";
  std::array<char, 40> text{};
  return {text.data(), std::strftime(text.data(), text.size(), form, &local)};
}

std::string state_text(const Shown& shown, const View& view) {
  if (shown.is_batch) return "";
  if (shown.is_replay) return fmt::format("sample {} of {}", shown.index + 1, shown.rounds);
  if (!view.at_round) return "live, every " + duration_text(view.interval_ns);
  return shown.age_ns == 0 ? "paused" : duration_text(shown.age_ns) + " ago";
}

Line machine_line(const Shown& shown, const View& view) {
  const Round& round = *shown.now;
  std::string text = "physmem-top";
  if (!round.host.empty()) text += "  " + for_terminal(round.host);
  if (const std::string time = time_text(round, "%F %T"); !time.empty()) text += "  " + time;
  if (round.uptime_ns != 0) text += "  up " + uptime_text(round.uptime_ns);
  if (round.load_centi)
    text += fmt::format("  load {:.2f}", static_cast<double>(*round.load_centi) / 100);
  const std::string state = state_text(shown, view);
  const std::size_t room = view.width - std::min(view.width, terminal_width(state) + 1);
  return {{Style::kTitle, left_aligned(text, room) + " "}, {Style::kBold, state}};
}

/// "HEADING [####...TAIL" in the width of the screen. Parts of the bar have styles.
Line bar_line(const std::string& heading, const ShareBar& bar, std::span<const Style> styles,
              const std::string& tail, const View& view) {
  Line line{{Style::kBold, heading + " ["}};
  const std::size_t used = heading.size() + 2 + terminal_width(tail);
  const std::vector<std::size_t> cells =
      share_cells(bar, view.width > used ? view.width - used : 0);
  for (std::size_t i = 0; i < cells.size(); ++i)
    line.push_back({styles[i], std::string(cells[i], bar.parts[i].letter)});
  line.push_back({Style::kBold, tail});
  return line;
}

Line ram_line(const Memory& memory, const View& view) {
  const std::string total = size_text(memory.total);
  const Kib free = memory.parts[static_cast<std::size_t>(MemoryPart::kFree)];
  const std::string tail =
      memory.available ? fmt::format("] {} of {} available", size_text(*memory.available), total)
                       : fmt::format("] {} of {} free", size_text(free), total);
  return bar_line("RAM ", memory_bar(memory.parts), kPartStyles, tail, view);
}

Line legend_line(const Memory& memory) {
  Line line{{Style::kPlain, "     "}};
  for (std::size_t i = 0; i < kMemoryParts; ++i) {
    const MemoryPartText& text = kMemoryPartTexts[i];
    line.push_back({kPartStyles[i], std::string(1, text.letter) + text.short_name});
    line.push_back({Style::kPlain, " " + size_text(memory.parts[i]) + " "});
  }
  return line;
}

Line swap_line(const Memory& memory, const View& view) {
  if (memory.swap_total == 0) return {{Style::kBold, "Swap "}, {Style::kDim, "none"}};
  const Kib used_kib = memory.swap_total - std::min(memory.swap_total, memory.swap_free);
  const std::string tail =
      fmt::format("] {} of {} used", size_text(used_kib), size_text(memory.swap_total));
  const ShareBar bar{{{'#', used_kib}, {'.', memory.swap_free}}};
  constexpr std::array kStyles{Style::kSwap, Style::kFree};
  return bar_line("Swap", bar, kStyles, tail, view);
}

Style style_of(Level level) {
  if (level >= Level::kThrashing) return Style::kAlert;
  if (level >= Level::kRecovering) return Style::kWarning;
  return level == Level::kIdle ? Style::kGood : Style::kPlain;
}

Line verdict_line(const Shown& shown, const View& view) {
  const auto& verdict = shown.now->verdict;
  if (!verdict) return {{Style::kDim, "system: no verdict before the second sample"}};
  FaultEvent event;
  event.has_times = verdict->has_times;
  event.refault_condition = verdict->refault_condition;
  event.system = verdict->system;
  event.level = LevelChange{verdict->level, verdict->level};
  std::string text = event_sentence(event, {});
  const std::string cut = with_signs("…");
  if (terminal_width(text) > view.width)
    text = clipped(text, view.width - terminal_width(cut)) + cut;
  return {{style_of(verdict->level), text}};
}

}  // namespace

std::vector<Line> summary_lines(const Shown& shown, const View& view) {
  std::vector<Line> lines{machine_line(shown, view)};
  if (const auto& memory = shown.now->memory; memory && memory->total != 0) {
    lines.push_back(ram_line(*memory, view));
    lines.push_back(legend_line(*memory));
    lines.push_back(swap_line(*memory, view));
  } else {
    lines.push_back({{Style::kDim, "RAM: the snapshot has no counters of memory"}});
    lines.emplace_back();
    lines.emplace_back();
  }
  lines.push_back(verdict_line(shown, view));
  return lines;
}

Line status_line(const Shown& shown, const View& view) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (!view.selection.filter.empty()) add("filter \"" + for_terminal(view.selection.filter) + "\"");
  if (view.followed) add(fmt::format("following {}", *view.followed));
  if (shown.is_replay) add("replay of " + for_terminal(shown.source));
  const auto& walks = shown.now->walks;
  if (!walks) return {{Style::kDim, text}};
  if (walks->cost) add(fmt::format("own CPU {:.1f} %", *walks->cost * 100));
  if (walks->are_frames_hidden) {
    add("USS and PSS require root");
    return {{Style::kWarning, text}};
  }
  add(fmt::format("pages of {} of {} processes older than 10 s", walks->stale, walks->processes));
  if (walks->unread != 0) add(fmt::format("{} unread", walks->unread));
  if (walks->denied != 0) add(fmt::format("{} denied", walks->denied));
  if (walks->are_counts_means) add("USS, PSS estimated: this kernel counts folios");
  return {{Style::kDim, text}};
}

}  // namespace physmem::top
