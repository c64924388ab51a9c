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
#include "top/screen/parts.h"

namespace physmem::top {
namespace {

/// Styles of the parts of RAM, by MemoryPart.
constexpr std::array<Style, kMemoryParts> kPartStyles{Style::kAnon,   Style::kShmem, Style::kFile,
                                                      Style::kKernel, Style::kOther, Style::kFree};

constexpr std::size_t kLegendIndent = 5;
constexpr std::size_t kAnyWidth = 1000;
constexpr std::size_t kMinMeaning = 40;  ///< columns of a shortened sentence

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
  return shown.age_ns == 0 ? "paused" : "paused, " + duration_text(shown.age_ns) + " ago";
}

Line machine_line(const Shown& shown, const View& view) {
  const Round& round = *shown.now;
  std::vector<Part> parts;
  const auto add = [&](const std::string& text, int rank) {
    if (!text.empty()) parts.push_back({{{Style::kTitle, text}}, rank, "  "});
  };
  add("physmem-top", 5);
  add(for_terminal(round.host), 1);
  add(time_text(round, "%F %T"), 2);
  if (round.uptime_ns != 0) add("up " + uptime_text(round.uptime_ns), 4);
  if (round.load_centi)
    add(fmt::format("load {:.2f}", static_cast<double>(*round.load_centi) / 100), 3);
  const std::string state = state_text(shown, view);
  const std::size_t room = view.width - std::min(view.width, terminal_width(state) + 1);
  Line line = fitted(fitting(std::move(parts), room), room);
  line.push_back({Style::kBold, " " + state});
  return line;
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
  const Kib free = (*memory.parts)[static_cast<std::size_t>(MemoryPart::kFree)];
  const std::string tail =
      memory.available ? fmt::format("] {} of {} available", size_text(*memory.available), total)
                       : fmt::format("] {} of {} free", size_text(free), total);
  return bar_line("RAM ", memory_bar(*memory.parts), kPartStyles, tail, view);
}

/// The less important parts of RAM have higher ranks. By MemoryPart.
constexpr std::array<int, kMemoryParts> kLegendRanks{0, 3, 2, 4, 5, 1};

Line legend_of(const Memory& memory, bool has_long_names, std::size_t columns) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < kMemoryParts; ++i) {
    const MemoryPartText& text = kMemoryPartTexts[i];
    const std::string name = has_long_names ? text.name : text.short_name;
    parts.push_back({{{kPartStyles[i], text.letter + name},
                      {Style::kPlain, " " + size_text((*memory.parts)[i])}},
                     kLegendRanks[i],
                     " "});
  }
  Line line = fitting(std::move(parts), columns);
  line.insert(line.begin(), {Style::kPlain, std::string(kLegendIndent, ' ')});
  return line;
}

/// With the long names if they fit.
Line legend_line(const Memory& memory, const View& view) {
  Line line = legend_of(memory, true, kAnyWidth);
  if (columns_of(line) <= view.width) return line;
  return legend_of(memory, false, view.width - std::min(view.width, kLegendIndent));
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
  const LevelText text = level_text(event);
  const Style style = style_of(verdict->level);
  // Not a table: lines of a batch may be longer than a screen is wide. On a screen, both ends of
  // the meaning matter: what happens, and in which cgroup.
  const std::size_t width = shown.is_batch ? kAnyWidth : view.width;
  const std::size_t room = width - std::min(width, terminal_width(text.head) + 2);
  std::string meaning = for_terminal(text.meaning);
  if (room >= kMinMeaning) meaning = shortened(meaning, room);
  std::vector<Part> parts{{{{style, text.head}}, 0}, {{{style, meaning}}, 1, ": "}};
  int rank = 3;
  for (const std::string& number : text.numbers) {
    parts.push_back({{{style, number}}, rank, rank == 3 ? ": " : ", "});
    ++rank;
  }
  for (const std::string& note : text.notes) parts.push_back({{{style, note}}, 2});
  return fitting(std::move(parts), width);
}

}  // namespace

std::vector<Line> summary_lines(const Shown& shown, const View& view) {
  std::vector<Line> lines{machine_line(shown, view)};
  if (const auto& memory = shown.now->memory; memory && memory->total != 0) {
    if (memory->parts) {
      lines.push_back(ram_line(*memory, view));
      lines.push_back(legend_line(*memory, view));
    } else {
      lines.push_back(
          {{Style::kBold, "RAM "},
           {Style::kDim, size_text(memory->total) + ", what it is used for is unknown"}});
      lines.emplace_back();
    }
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
  const bool has_notes = !view.selection.filter.is_empty() || view.followed;
  if (!shown.time_bar.empty() && !has_notes) return shown.time_bar;
  const auto& walks = shown.now->walks;
  const bool are_hidden = walks && walks->are_frames_hidden;
  std::vector<Part> parts;
  const auto add = [&](const std::string& text, int rank) {
    parts.push_back({{{are_hidden ? Style::kWarning : Style::kDim, text}}, rank});
  };
  const TextFilter& filter = view.selection.filter;
  if (!filter.is_empty()) add("filter " + shortened(in_quotes(filter.text()), view.width / 3), 0);
  if (view.followed)
    add(fmt::format("following {}{}", *view.followed,
                    view.is_followed_shown ? "" : ", which is not in the table"),
        1);
  if (shown.is_replay) add("replay of " + shortened(for_terminal(shown.source), view.width / 2), 1);
  if (walks && walks->cost) add(fmt::format("own CPU {:.1f} %", *walks->cost * 100), 3);
  if (are_hidden)
    add(walks->are_frames_missing ? "USS and PSS unknown: /proc has no kpagecount and kpageflags"
                                  : "USS and PSS require root",
        0);
  if (walks && !are_hidden) {
    add(fmt::format("pages of {} of {} processes older than 10 s", walks->stale, walks->processes),
        6);
    if (walks->unread != 0) add(fmt::format("{} unread", walks->unread), 4);
    if (walks->denied != 0) add(fmt::format("{} denied", walks->denied), 5);
    if (walks->are_counts_means) add("USS, PSS estimated: this kernel counts folios", 2);
  }
  return fitting(std::move(parts), view.width);
}

}  // namespace physmem::top
