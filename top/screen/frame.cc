// SPDX-License-Identifier: MIT
#include "top/screen/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "program/printable.h"
#include "top/screen/fit.h"
#include "top/screen/parts.h"
#include "top/screen/process_page.h"
#include "top/screen/summary.h"
#include "top/screen/table.h"

namespace physmem::top {
namespace {

struct KeyHelp {
  const char* keys;
  const char* text;
};

constexpr std::array kHelp{
    KeyHelp{"Up Down PgUp PgDn Home End", "move"},
    KeyHelp{"Enter", "pages of a process; in a tree: open, close a group"},
    KeyHelp{"Esc Backspace", "back; at the table: clear the filter"},
    KeyHelp{"< > or s S", "sort by the column on the left, on the right"},
    KeyHelp{"mouse click", "select a row, or sort by a column"},
    KeyHelp{"r", "reverse the order"},
    KeyHelp{"/", "search command, user, cgroup, pid;  n: next match"},
    KeyHelp{"f", "show only what has a text, a glob or /regex/"},
    KeyHelp{"F", "follow the selected process when the order changes"},
    KeyHelp{"c", "tree of cgroups with their sums"},
    KeyHelp{"t T", "one sample back, forward (the last hour is kept)"},
    KeyHelp{"g", "go to a time, such as 03:00 or 2026-11-29 03:00"},
    KeyHelp{"[ ]", "the event before, the next: the level rises to R or more"},
    KeyHelp{"l", "back to the latest sample"},
    KeyHelp{"p or Space", "pause and continue"},
    KeyHelp{"+ -", "longer, shorter interval between samples"},
    KeyHelp{"h ?", "this page"},
    KeyHelp{"q", "quit"},
};

constexpr std::array kNotes{
    "",
    "USS   unique: pages that only this process maps; they are free after its end",
    "PSS   proportional: a page that n processes map counts 1/n for each",
    "RSS   resident: all pages that the process maps",
    "MIN/s MAJ/s   minor and major page faults per second",
    "",
    "RSS, faults and CPU are read for each sample. Pages are read in turn, within a budget of CPU "
    "time: first those of processes that changed.",
};

constexpr std::size_t kKeysWidth = 28;
constexpr std::size_t kMaxText = 80;  ///< longer lines are hard to read

std::vector<Line> help_lines(std::size_t width) {
  std::vector<Line> lines{{{Style::kTitle, "physmem-top: keys"}}};
  const bool has_two_columns = width >= kMaxText;
  for (const KeyHelp& help : kHelp) {
    Line keys{{Style::kKey, help.keys}};
    if (has_two_columns) {
      keys.front().text.resize(kKeysWidth, ' ');
      keys.push_back({Style::kPlain, help.text});
    }
    lines.push_back(std::move(keys));
    if (has_two_columns) continue;
    for (const std::string& text : wrapped(help.text, width - 2))
      lines.push_back({{Style::kPlain, "  " + text}});
  }
  for (const char* note : kNotes)
    for (const std::string& text : wrapped(note, std::min(width, kMaxText)))
      lines.push_back({{Style::kPlain, text}});
  return lines;
}

/// A key and what it does: "h help".
struct KeyText {
  std::string_view text;
  int rank;  ///< as of a Part
};
constexpr std::array kTableKeys{
    KeyText{"h help", 0},   KeyText{"⏎ pages", 2},  KeyText{"<> sort", 4}, KeyText{"r reverse", 6},
    KeyText{"/ search", 3}, KeyText{"f filter", 3}, KeyText{"c tree", 5},  KeyText{"tT time", 7},
    KeyText{"p pause", 8},  KeyText{"q quit", 1}};
/// While an earlier sample is shown, as in a replay.
constexpr std::array kPastKeys{
    KeyText{"h help", 0},    KeyText{"⏎ pages", 2},   KeyText{"<> sort", 6},
    KeyText{"/ search", 5},  KeyText{"c tree", 7},    KeyText{"tT step", 3},
    KeyText{"g to time", 1}, KeyText{"[] events", 2}, KeyText{"q quit", 1}};
constexpr std::array kProcessKeys{KeyText{"Esc back", 0}, KeyText{"↑↓ scroll", 3},
                                  KeyText{"u read again", 4}, KeyText{"h help", 2},
                                  KeyText{"q quit", 1}};
constexpr std::array kHelpKeys{KeyText{"Esc back", 0}, KeyText{"↑↓ scroll", 2},
                               KeyText{"q quit", 1}};

Line keys_line(std::span<const KeyText> keys, std::size_t width) {
  std::vector<Part> parts;
  for (const KeyText& key : keys) {
    const std::string text = with_signs(key.text);
    const std::size_t blank = text.find(' ');
    parts.push_back({{{Style::kKey, text.substr(0, blank)}, {Style::kPlain, text.substr(blank)}},
                     key.rank,
                     " "});
  }
  return fitting(std::move(parts), width);
}

Line prompt_line(const View& view) {
  const std::string name = view.prompt == Prompt::kSearch ? "search: "
                           : view.prompt == Prompt::kTime ? "time (03:00): "
                                                          : "filter: ";
  const std::size_t room = view.width - std::min(view.width, name.size() + 1);
  const Line input{{Style::kKey, name},
                   {Style::kBold, shortened(for_terminal(view.input), room) + "_"}};
  return fitting({{input, 0}, {{{Style::kDim, "(Enter: done, Esc: cancel)"}}, 1, "  "}},
                 view.width);
}

Line bottom_line(const View& view) {
  if (view.prompt != Prompt::kNone) return prompt_line(view);
  if (!view.message.empty())
    return {{Style::kWarning, shortened(for_terminal(view.message), view.width)}};
  if (view.page == Page::kProcess) return keys_line(kProcessKeys, view.width);
  if (view.page == Page::kHelp) return keys_line(kHelpKeys, view.width);
  if (view.at_round) return keys_line(kPastKeys, view.width);
  return keys_line(kTableKeys, view.width);
}

/// On a terminal that is too small.
Line size_line(const View& view) {
  const std::string size = with_signs(fmt::format("{}×{}", kMinWidth, kMinHeight));
  return fitting({{{{Style::kPlain, "terminal too small:"}}, 1},
                  {{{Style::kPlain, "requires"}}, 2, " "},
                  {{{Style::kPlain, size}}, 0, " "}},
                 view.width);
}

/// The part of a long page that the scroll position shows.
void add_scrolled(std::vector<Line> all, View& view, std::vector<Line>& lines) {
  const std::size_t room = view.height - 1;
  view.lines = all.size();
  view.scroll = std::min(view.scroll, all.size() > room ? all.size() - room : 0);
  for (std::size_t i = view.scroll; i < all.size() && lines.size() < room; ++i)
    lines.push_back(std::move(all[i]));
}

}  // namespace

std::vector<Line> frame(const Shown& shown, View& view) {
  std::vector<Line> lines;
  if (view.width < kMinWidth || view.height < kMinHeight) {
    lines.push_back(size_line(view));
  } else if (view.page == Page::kHelp) {
    add_scrolled(help_lines(view.width), view, lines);
  } else if (view.page == Page::kProcess) {
    add_scrolled(process_lines(shown, view), view, lines);
  } else {
    lines = summary_lines(shown, view);
    for (Line& line : table_lines(shown, view)) lines.push_back(std::move(line));
    lines.push_back(status_line(shown, view));
  }
  lines.resize(view.height);
  if (view.height >= kMinHeight) lines.back() = bottom_line(view);
  for (Line& line : lines) line = fitted(std::move(line), view.width);
  return lines;
}

std::vector<Line> text_frame(const Shown& shown, const View& view) {
  std::vector<Line> lines = summary_lines(shown, view);
  const auto columns = table_columns(view.width, view.is_tree);
  lines.push_back(heading_line(columns, view.order));
  for (const Row& row : shown.rows) lines.push_back(row_line(row, columns));
  if (shown.rows.empty()) lines.push_back(empty_line(view));
  lines.push_back(total_line(shown, columns));
  lines.push_back(status_line(shown, view));
  return lines;
}

}  // namespace physmem::top
