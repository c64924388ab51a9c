// SPDX-License-Identifier: MIT
#include "top/screen/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "program/printable.h"
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
    KeyHelp{"f", "show only what contains a text"},
    KeyHelp{"F", "follow the selected process when the order changes"},
    KeyHelp{"g", "tree of cgroups with their sums"},
    KeyHelp{"t T", "one sample back, forward (the last hour is kept)"},
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
    "RSS, faults and CPU are read for each sample. Pages are read in turn, within a",
    "budget of CPU time: first those of processes that changed.",
};

std::vector<Line> help_lines() {
  std::vector<Line> lines{{{Style::kTitle, "physmem-top: keys"}}};
  for (const KeyHelp& help : kHelp)
    lines.push_back({{Style::kKey, fmt::format("{:<28}", help.keys)}, {Style::kPlain, help.text}});
  for (const char* note : kNotes) lines.push_back({{Style::kPlain, note}});
  return lines;
}

Line keys_line(std::string_view signs) {
  Line line;
  const std::string text = with_signs(signs);
  std::string_view keys = text;
  while (!keys.empty()) {  // "KEY text|KEY text"
    const std::string_view item = keys.substr(0, keys.find('|'));
    keys.remove_prefix(std::min(item.size() + 1, keys.size()));
    const std::size_t blank = item.find(' ');
    line.push_back({Style::kKey, std::string(item.substr(0, blank))});
    line.push_back({Style::kPlain, std::string(item.substr(blank)) + " "});
  }
  return line;
}

Line bottom_line(const View& view) {
  if (view.prompt != Prompt::kNone)
    return {{Style::kKey, view.prompt == Prompt::kSearch ? "search: " : "filter: "},
            {Style::kBold, for_terminal(view.input) + "_"},
            {Style::kDim, "  (Enter: done, Esc: cancel)"}};
  if (!view.message.empty()) return {{Style::kWarning, for_terminal(view.message)}};
  if (view.page == Page::kProcess)
    return keys_line("Esc back|↑↓ scroll|u read again|h help|q quit");
  if (view.page == Page::kHelp) return keys_line("Esc back|↑↓ scroll|q quit");
  return keys_line(
      "h help|⏎ pages|<> sort|r reverse|/ search|f filter|g tree|tT time|p pause|q quit");
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
    lines.push_back({{Style::kPlain,
                      with_signs(fmt::format("expected {}×{} or more", kMinWidth, kMinHeight))}});
  } else if (view.page == Page::kHelp) {
    add_scrolled(help_lines(), view, lines);
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
  lines.push_back(total_line(shown, columns));
  lines.push_back(status_line(shown, view));
  return lines;
}

}  // namespace physmem::top
