// SPDX-License-Identifier: MIT
#include "fleet/ask/large_sums.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

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
Result<std::vector<Selection>> days_of_large_sums(Store& store, const Selection& selection) {
  std::vector<Selection> days;
  const auto take = [&](const Row& row) -> Status {
    if (!has_too_large_sum(row)) return {};
    Selection& day = days.emplace_back(selection);
    day.since = std::max(selection.since, number(row, 0));
    day.before = std::min(selection.before, number(row, 0) + kDay);
    return {};
  };
  if (Status status = store.ask(Question::kTrend, selection, take); !status) return status.error();
  return days;
}

/// The times of each of which the question sums up sizes. Adds the names of their hosts to
/// `selected`.
Result<std::vector<Selection>> times_of(Store& store, const Asked& asked, Selected& selected) {
  if (asked.question == "trend") return days_of_large_sums(store, selected.selection);
  if (asked.question != "changes") return std::vector{selected.selection};
  auto earlier = select(store, before_change(asked));
  if (!earlier) return earlier.error();
  selected.host.merge(earlier->host);
  return std::vector{selected.selection, earlier->selection};
}

using Machines = std::set<std::string>;

/// Adds the machines whose sum of a unit is too large. A trend is of all its units together.
Status add_machines_of_units(Store& store, const Selection& time, bool is_trend,
                             Machines& machines) {
  std::map<std::string, std::uint64_t> sums;
  const auto take = [&](const Row& row) -> Status {
    const std::string& machine = text(row, 1);
    std::uint64_t& sum = sums[machine];
    sum = bounded_sum(is_trend ? sum : 0, number(row, 4));
    if (sum == kMaxNumber || has_too_large_sum(row)) machines.insert(machine);
    return {};
  };
  return store.ask(Question::kUnits, time, take);
}

Status add_machines_of_ram(Store& store, const Selection& time, Machines& machines) {
  const auto take = [&](const Row& row) -> Status {
    if (has_too_large_sum(row)) machines.insert(text(row, 2));
    return {};
  };
  return store.ask(Question::kRam, time, take);
}

}  // namespace

Status ask_sums(Store& store, Question question, const Selection& selection,
                const Store::TakeRow& take) {
  bool is_too_large = false;
  const Error too_large{Error::Kind::kIo, kTooLarge};
  const Status status = store.ask(question, selection, [&](const Row& row) -> Status {
    is_too_large = is_too_large || has_too_large_sum(row);
    return is_too_large ? Status(too_large) : take(row);
  });
  return is_too_large ? Status(too_large) : status;  // a store may add its name
}

bool is_too_large_sum(const Error& error) {
  return error.text == kTooLarge;
}

Result<std::map<std::string, std::string>> machines_of_large_sums(Store& store,
                                                                  const Asked& asked) {
  auto selected = select(store, asked);
  if (!selected) return selected.error();
  const auto times = times_of(store, asked, *selected);
  if (!times) return times.error();
  Machines machines;
  for (const Selection& time : *times)
    if (Status status = add_machines_of_units(store, time, asked.question == "trend", machines);
        !status)
      return status.error();
  if (asked.question == "units" && asked.units.empty())
    if (Status status = add_machines_of_ram(store, selected->selection, machines); !status)
      return status.error();
  std::map<std::string, std::string> hosts;
  const auto labels = labels_of_all(store);
  if (!labels) return labels.error();
  for (const std::string& machine : machines)
    hosts[machine] = labels->of(selected->host_of(machine), machine);
  return hosts;
}

}  // namespace physmem::fleet
