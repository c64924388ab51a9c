// SPDX-License-Identifier: MIT
#include "watch/reclaim_lines.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>
#include <ostream>

namespace physmem::watch {
namespace {

std::string clock_text(std::uint64_t time_ns) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(time_ns / 1'000'000'000)));
}

}  // namespace

void ReclaimLines::on_sample(std::ostream& out) {
  if (!activity_.is_going_on()) return;
  const std::string time = clock_text(activity_.time_ns());
  if (is_json_)
    out << nlohmann::json{{"time", time},
                          {"seconds", activity_.seconds()},
                          {"scanned_per_s", activity_.scanned_rate()},
                          {"some", activity_.stalled_share()}}
        << '\n';
  else
    fmt::print(out,
               "{} reclaim: {:.0f} pages scanned a second, tasks waited for memory {:.0f} % of the time\n",
               time, activity_.scanned_rate(), 100 * activity_.stalled_share());
}

void ReclaimLines::on_rest(std::ostream& out) {
  const std::string time = clock_text(activity_.time_ns());
  if (is_json_)
    out << nlohmann::json{{"time", time}, {"rest", true}} << '\n';
  else
    fmt::print(out, "{} quiet\n", time);
  activity_.forget();
}

}  // namespace physmem::watch
