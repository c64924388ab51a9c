// SPDX-License-Identifier: MIT
#include "analyzer/shape/series_notes.h"

#include <fmt/format.h>

#include "analyzer/shape/view.h"
#include "program/moment.h"

namespace physmem {

void set_time_axis(Series& series, const View& view, double last) {
  series.x_title = "seconds since the first snapshot";
  if (!view.header.time_ns) return;
  const auto end = static_cast<double>(*view.header.time_ns) / 1e9;
  series.clock_zero = static_cast<std::int64_t>(end - last);
  const std::string text = date_text(*series.clock_zero);
  series.x_title = "time of day (" + text.substr(text.rfind(' ') + 1) + ")";
}

void set_mib_axis(Series::Panel& panel, const View& view) {
  panel.title = "MiB";
  const double mib_per_page = static_cast<double>(view.header.page_size.bytes) / (1 << 20);
  for (Series::Line& line : panel.lines)
    for (auto& [x, y] : line.points) y *= mib_per_page;
}

std::string host_text(const std::string& host) {
  return host.empty() ? "unknown host" : host;
}

std::vector<std::string> series_notes(const SeriesOrder& order, std::string_view consequence) {
  std::vector<std::string> notes;
  if (order.left_out() != 0)
    notes.push_back(fmt::format(
        "{} of another machine ({}) than the first ({}) left out: analyze one machine at a time",
        counted(order.left_out(), "snapshot"), host_text(order.other_host()),
        host_text(order.host())));
  if (order.breaks() != 0)
    notes.push_back(
        fmt::format("{} not following the one before (another boot, or the wrong order), {}",
                    counted(order.breaks(), "snapshot"), consequence));
  if (order.missing() != 0)
    notes.push_back(fmt::format("{} of the series missing (by sequence): give all of its files",
                                counted(order.missing(), "snapshot")));
  return notes;
}

}  // namespace physmem
