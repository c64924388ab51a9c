// SPDX-License-Identifier: MIT
#include "top/screen/keys.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "program/duration.h"
#include "program/moment.h"
#include "program/printable.h"
#include "top/screen/layout.h"
#include "top/screen/time_bar.h"

namespace physmem::top {
namespace {

using Kind = Key::Kind;

constexpr std::size_t kWheelRows = 3;
constexpr std::array kIntervals{kSecondNs / 10, kSecondNs / 5,  kSecondNs / 2,
                                kSecondNs,      2 * kSecondNs,  5 * kSecondNs,
                                10 * kSecondNs, 30 * kSecondNs, 60 * kSecondNs};

/// Moves a position by rows of the screen; `last` is the highest one.
bool move(const Key& key, std::size_t page, std::size_t last, std::size_t& at) {
  const auto up = [&](std::size_t rows) { at -= std::min(at, rows); };
  const auto down = [&](std::size_t rows) { at = std::min(last, at + rows); };
  switch (key.kind) {
    case Kind::kUp:
      up(1);
      return true;
    case Kind::kDown:
      down(1);
      return true;
    case Kind::kPageUp:
      up(page);
      return true;
    case Kind::kPageDown:
      down(page);
      return true;
    case Kind::kHome:
      at = 0;
      return true;
    case Kind::kEnd:
      at = last;
      return true;
    case Kind::kWheelUp:
      up(kWheelRows);
      return true;
    case Kind::kWheelDown:
      down(kWheelRows);
      return true;
    default:
      return false;
  }
}

void find_next(const Shown& shown, View& view, std::size_t from) {
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    const std::size_t at = (from + i) % shown.rows.size();
    if (!view.search.matches(shown.rows[at])) continue;
    view.cursor = at;
    view.followed.reset();
    return;
  }
  view.message = "\"" + view.search.text() + "\" was not found";
}

void go_to_time(const History& history, View& view) {
  const auto moment = parse_moment(view.input);
  if (!moment) {
    view.message = "\"" + view.input + "\": expected " + kMomentForm;
    return;
  }
  if (const auto at = sample_at(history, *moment))
    view.at_round = history.number(*at);
  else
    view.message = at.error().text;
}

void edit(const Key& key, const Shown& shown, const History& history, View& view) {
  if (key.kind == Kind::kText) view.input += key.text;
  if (key.kind == Kind::kBackspace && !view.input.empty()) {
    do {
      const char last = view.input.back();
      view.input.pop_back();
      if ((static_cast<unsigned char>(last) & 0xc0) != 0x80) break;  // the character's first byte
    } while (!view.input.empty());
  }
  if (view.prompt == Prompt::kFilter) view.selection.filter = TextFilter(view.input);
  if (view.prompt == Prompt::kSearch && key.kind != Kind::kEnter && !view.input.empty()) {
    view.search = TextFilter(view.input);
    find_next(shown, view, view.cursor);
    view.message.clear();
  }
  if (key.kind == Kind::kEscape && view.prompt == Prompt::kFilter) view.selection.filter = {};
  if (key.kind == Kind::kEnter && view.prompt == Prompt::kSearch && !view.input.empty())
    find_next(shown, view, view.cursor);
  if (key.kind == Kind::kEnter && view.prompt == Prompt::kTime) go_to_time(history, view);
  if (key.kind == Kind::kEnter || key.kind == Kind::kEscape) view.prompt = Prompt::kNone;
}

/// Sorts by the next visible column in a direction, 1 or -1.
void sort_by_neighbour(View& view, int direction) {
  std::vector<TableColumn> columns = table_columns(view.width, view.is_tree);
  std::erase_if(columns, [](const TableColumn& column) { return column.is_cgroup; });
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const TableColumn& column) {
    return column.key == view.order.key;
  });
  const std::size_t n = columns.size();
  const std::size_t index =
      at == columns.end() ? 0 : static_cast<std::size_t>(at - columns.begin());
  const std::size_t next = direction < 0 ? index + n - 1 : index + 1;
  view.order = {columns[next % n].key, false};
}

void click(const Key& key, const Shown& shown, View& view) {
  if (key.y == kSummaryLines) {
    for (const TableColumn& column : table_columns(view.width, view.is_tree)) {
      if (column.is_cgroup || key.x < column.start || key.x >= column.start + column.width)
        continue;
      const bool is_same = view.order.key == column.key;
      view.order = {column.key, is_same && !view.order.is_reversed};
    }
    return;
  }
  const std::size_t top = kSummaryLines + kHeadingLines;
  if (key.y < top || key.y >= top + table_rows(view)) return;
  const std::size_t row = view.first + key.y - top;
  if (row >= shown.rows.size()) return;
  view.cursor = row;
  view.followed.reset();
}

void step(const Shown& shown, const History& history, View& view, bool is_back) {
  if (is_back && shown.index == 0) {
    view.message = "this is the first sample that is kept";
    return;
  }
  if (!is_back && shown.index + 1 >= history.size()) {
    view.message = "this is the latest sample";
    return;
  }
  view.at_round = history.number(is_back ? shown.index - 1 : shown.index + 1);
}

void go_to_event(const Shown& shown, const History& history, View& view, bool is_back) {
  const auto found = next_event(history, shown.index, is_back);
  if (found)
    view.at_round = history.number(*found);
  else
    view.message = std::string("no ") + (is_back ? "earlier" : "later") +
                   " event: the level does not rise to R or more";
}

void pause(const Shown& shown, const History& history, View& view) {
  if (view.at_round)
    view.at_round.reset();
  else
    view.at_round = history.number(shown.index);
}

void change_interval(View& view, bool is_longer) {
  const auto* const at = std::lower_bound(kIntervals.begin(), kIntervals.end(), view.interval_ns);
  if (is_longer) {
    const auto* const next =
        std::upper_bound(kIntervals.begin(), kIntervals.end(), view.interval_ns);
    if (next != kIntervals.end()) view.interval_ns = *next;
  } else if (at != kIntervals.begin()) {
    view.interval_ns = *(at - 1);
  }
}

Request enter(const Shown& shown, View& view) {
  if (view.cursor >= shown.rows.size()) return Request::kNothing;
  const Row& row = shown.rows[view.cursor];
  if (row.process == nullptr) {
    if (view.collapsed.erase(row.cgroup) == 0) view.collapsed.insert(row.cgroup);
    return Request::kNothing;
  }
  view.page = Page::kProcess;
  view.pid = row.process->pid;
  view.scroll = 0;
  return Request::kDetails;
}

void toggle_follow(const Shown& shown, View& view) {
  if (view.followed) {
    view.followed.reset();
  } else if (view.cursor < shown.rows.size() && shown.rows[view.cursor].process != nullptr) {
    view.followed = shown.rows[view.cursor].process->pid;
  }
}

void open_prompt(View& view, Prompt prompt) {
  view.prompt = prompt;
  view.input = prompt == Prompt::kFilter ? view.selection.filter.text() : "";
}

/// Keys with the same meaning on all pages. Returns false for others.
bool press_common(char key, const Shown& shown, const History& history, View& view) {
  switch (key) {
    case 'q':
      view.is_over = true;
      return true;
    case 'h':
    case '?':
      view.page = view.page == Page::kHelp ? Page::kTable : Page::kHelp;
      view.scroll = 0;
      return true;
    case 't':
    case 'T':
      step(shown, history, view, key == 't');
      return true;
    case 'g':
      open_prompt(view, Prompt::kTime);
      return true;
    case '[':
    case ']':
      go_to_event(shown, history, view, key == '[');
      return true;
    case 'l':
      view.at_round.reset();
      return true;
    case 'p':
    case ' ':
      if (view.page != Page::kHelp) pause(shown, history, view);  // the help does not show it
      return true;
    default:
      return false;
  }
}

void press_table(char key, const Shown& shown, View& view) {
  switch (key) {
    case '<':
    case 'S':
      return sort_by_neighbour(view, -1);
    case '>':
    case 's':
      return sort_by_neighbour(view, 1);
    case 'r':
      view.order.is_reversed = !view.order.is_reversed;
      return;
    case '/':
      return open_prompt(view, Prompt::kSearch);
    case 'n':
      return find_next(shown, view, view.cursor + 1);
    case 'f':
      return open_prompt(view, Prompt::kFilter);
    case 'F':
      return toggle_follow(shown, view);
    case 'c':
      view.is_tree = !view.is_tree;
      return;
    default:
      return;
  }
}

Request press_on_page(const Key& key, View& view) {
  const std::size_t room = view.height > 2 ? view.height - 2 : 1;
  if (move(key, room, view.lines, view.scroll)) return Request::kNothing;
  if (key.kind == Kind::kEscape || key.kind == Kind::kBackspace || key.kind == Kind::kEnter)
    view.page = Page::kTable;
  const bool reads_again = key.text == "u" && view.page == Page::kProcess;
  return reads_again ? Request::kDetails : Request::kNothing;
}

Request press_on_table(const Key& key, const Shown& shown, View& view) {
  const std::size_t last = shown.rows.empty() ? 0 : shown.rows.size() - 1;
  if (move(key, table_rows(view), last, view.cursor)) {
    view.followed.reset();
    return Request::kNothing;
  }
  if (key.kind == Kind::kEnter) return enter(shown, view);
  if (key.kind == Kind::kClick) click(key, shown, view);
  if (key.kind == Kind::kEscape) view.selection.filter = {};
  if (key.text == "+" || key.text == "-") {
    change_interval(view, key.text == "+");
    return Request::kInterval;
  }
  if (key.text.size() == 1) press_table(key.text[0], shown, view);
  return Request::kNothing;
}

}  // namespace

Request press(const Key& key, const Shown& shown, const History& history, View& view) {
  view.message.clear();
  if (view.prompt != Prompt::kNone) {
    const auto round_before = view.at_round;
    edit(key, shown, history, view);
    const bool is_other_sample = view.at_round != round_before && view.page == Page::kProcess;
    return is_other_sample && shown.is_replay ? Request::kDetails : Request::kNothing;
  }
  const auto round_before = view.at_round;
  if (key.kind == Kind::kText && key.text.size() == 1 &&
      press_common(key.text[0], shown, history, view)) {
    const bool is_other_sample = view.at_round != round_before && view.page == Page::kProcess;
    return is_other_sample && shown.is_replay ? Request::kDetails : Request::kNothing;
  }
  return view.page == Page::kTable ? press_on_table(key, shown, view) : press_on_page(key, view);
}

}  // namespace physmem::top
