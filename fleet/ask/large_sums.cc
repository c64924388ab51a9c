// SPDX-License-Identifier: MIT
#include "fleet/ask/large_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "analyzer/shape/view.h"
#include "fleet/ask/changes_answer.h"
#include "fleet/ask/host_labels.h"
#include "fleet/ask/selected.h"
#include "fleet/model/limits.h"
#include "fleet/model/report.h"

namespace physmem::fleet {
namespace {

constexpr const char* kTooLarge =
    "a sum is above 8 EB: reports have sizes that no machine has, or there are too many of large "
    "machines; choose other hosts (--host) or a shorter time (--since, --until)";

bool has_too_large_sum(const Row& row) {
  return std::find(row.begin(), row.end(), Value(kMaxNumber)) != row.end();
}

/// The days of a trend whose sums are too large.
Result<std::set<std::uint64_t>> days_of_large_sums(Store& store, const Selection& selection) {
  std::set<std::uint64_t> days;
  const auto take = [&](const Row& row) -> Status {
    if (has_too_large_sum(row)) days.insert(number(row, 0));
    return {};
  };
  if (Status status = store.ask(Question::kTrend, selection, take); !status) return status.error();
  return days;
}

std::vector<Selection> times_of(const std::set<std::uint64_t>& days, const Selection& selection) {
  std::vector<Selection> times;
  for (const std::uint64_t day : days) {
    Selection& time = times.emplace_back(selection);
    time.since = std::max(selection.since, day);
    time.before = std::min(selection.before, day + kDay);
  }
  return times;
}

/// The times of each of which the question sums up sizes. Adds the names of their hosts to
/// `selected`, and the days of a trend to `days`.
Result<std::vector<Selection>> times_of(Store& store, const Asked& asked, Selected& selected,
                                        std::set<std::uint64_t>& days) {
  if (asked.question == "trend") {
    auto large = days_of_large_sums(store, selected.selection);
    if (!large) return large.error();
    days = std::move(*large);
    return times_of(days, selected.selection);
  }
  if (asked.question != "changes") return std::vector{selected.selection};
  auto earlier = select(store, before_change(asked));
  if (!earlier) return earlier.error();
  selected.host.merge(earlier->host);
  return std::vector{selected.selection, earlier->selection};
}

/// By machine, its largest sum; kMaxNumber if that is too large.
using Sums = std::map<std::string, std::uint64_t>;

void add_sum(Sums& largest, const std::string& machine, std::uint64_t sum) {
  largest[machine] = std::max(largest[machine], sum);
}

std::uint64_t sum_of(const Row& row, std::size_t column) {
  return has_too_large_sum(row) ? kMaxNumber : number(row, column);
}

/// Adds the sums of units of a time. A trend is of all its units together.
Status add_sums_of_units(Store& store, const Selection& time, bool is_trend, Sums& largest) {
  Sums sums;
  const auto take = [&](const Row& row) -> Status {
    if (is_trend)
      sums[text(row, 1)] = bounded_sum(sums[text(row, 1)], sum_of(row, 4));
    else
      add_sum(sums, text(row, 1), sum_of(row, 4));
    return {};
  };
  if (Status status = store.ask(Question::kUnits, time, take); !status) return status;
  for (const auto& [machine, sum] : sums) add_sum(largest, machine, sum);
  return {};
}

Status add_sums_of_ram(Store& store, const Selection& time, Sums& largest) {
  const auto take = [&](const Row& row) -> Status {
    add_sum(largest, text(row, 2), sum_of(row, 4));
    return {};
  };
  return store.ask(Question::kRam, time, take);
}

/// The time of the question for `remove`. That of changes has what was before, too. Before
/// `expired` there are only whole days.
void set_time(const Asked& asked, std::uint64_t expired, LargeSums& found) {
  if (asked.question != "changes") found.since = asked.since;
  if (found.since && *found.since < expired) *found.since += (kDay - *found.since % kDay) % kDay;
  found.until = asked.until;
}

/// The first of the machines by their sums.
std::vector<std::string> largest_of(const Sums& sums, const HostLabels& labels) {
  std::vector<std::pair<std::string, std::uint64_t>> machines(sums.begin(), sums.end());
  const auto end = machines.begin() +
                   static_cast<std::ptrdiff_t>(std::min(machines.size(), LargeSums::kLargest));
  std::partial_sort(machines.begin(), end, machines.end(), [](const auto& a, const auto& b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  std::vector<std::string> hosts;
  for (auto machine = machines.begin(); machine != end; ++machine)
    hosts.push_back(fmt::format(
        "{} ({})", labels.of(machine->first),
        machine->second == kMaxNumber ? "above 8 EB" : human_size(machine->second, PageSize{1})));
  return hosts;
}

}  // namespace

Status ask_sums(Store& store, Question question, const Selection& selection,
                const Store::TakeRow& take, const std::set<std::uint64_t>& left_out_days) {
  return store.ask(question, selection, [&](const Row& row) -> Status {
    if (!left_out_days.empty() && left_out_days.contains(number(row, 0))) return {};
    return has_too_large_sum(row) ? Status(too_large_sum()) : take(row);
  });
}

Error too_large_sum() {
  return {Error::Kind::kTooLarge, kTooLarge};
}

Result<LargeSums> find_large_sums(Store& store, std::uint64_t expired, const Asked& asked) {
  auto selected = select(store, asked);
  if (!selected) return selected.error();
  LargeSums found;
  const auto times = times_of(store, asked, *selected, found.days);
  if (!times) return times.error();
  Sums sums;
  for (const Selection& time : *times)
    if (Status status = add_sums_of_units(store, time, asked.question == "trend", sums); !status)
      return status.error();
  if (asked.question == "units" && asked.units.empty())
    if (Status status = add_sums_of_ram(store, selected->selection, sums); !status)
      return status.error();
  set_time(asked, expired, found);
  const auto labels = labels_of(
      store, {.since = found.since.value_or(0), .before = found.until.value_or(kMaxSecond + 1)});
  if (!labels) return labels.error();
  found.largest = largest_of(sums, *labels);
  for (const auto& [machine, sum] : sums) {
    if (sum != kMaxNumber) continue;
    found.has_ids = found.has_ids || labels->has_id(machine);
    found.machines[machine] = labels->of(machine);
  }
  return found;
}

}  // namespace physmem::fleet
