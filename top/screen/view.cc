// SPDX-License-Identifier: MIT
#include "top/screen/view.h"

#include <algorithm>
#include <utility>

#include "top/screen/layout.h"

namespace physmem::top {
namespace {

void follow(const std::vector<Row>& rows, View& view) {
  if (!view.followed) return;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.process != nullptr && row.process->pid == *view.followed;
  });
  view.is_followed_shown = found != rows.end();
  if (view.is_followed_shown) view.cursor = static_cast<std::size_t>(found - rows.begin());
}

}  // namespace

std::size_t table_rows(const View& view) {
  const std::size_t fixed = kSummaryLines + kHeadingLines + kBottomLines;
  return view.height > fixed ? view.height - fixed : 1;
}

Shown look_at(const History& history, View& view, const UserName& user_name) {
  Shown shown;
  shown.rounds = history.size();
  shown.index = view.at_round ? history.index_of(*view.at_round) : history.size() - 1;
  shown.now = &history.at(shown.index);
  shown.age_ns =
      history.latest().uptime_ns - std::min(history.latest().uptime_ns, shown.now->uptime_ns);
  shown.before = shown.index == 0 ? nullptr : &history.at(shown.index - 1);
  std::vector<Row> rows = rows_of(*shown.now, shown.before, view.selection, user_name);
  shown.selected_processes = rows.size();
  shown.total = total_of(rows);
  if (view.is_tree) {
    rows = tree_of(std::move(rows), view.order, view.collapsed);
  } else {
    sort_rows(rows, view.order);
  }
  shown.rows = std::move(rows);
  follow(shown.rows, view);
  view.cursor = std::min(view.cursor, shown.rows.empty() ? 0 : shown.rows.size() - 1);
  const std::size_t visible = table_rows(view);
  if (view.cursor < view.first) view.first = view.cursor;
  if (view.cursor >= view.first + visible) view.first = view.cursor - visible + 1;
  view.first = std::min(view.first, shown.rows.size() > visible ? shown.rows.size() - visible : 0);
  return shown;
}

}  // namespace physmem::top
