// SPDX-License-Identifier: MIT
#include "fleet/ask/answers.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "fleet/ask/fleet_charts.h"
#include "fleet/ask/fleet_tables.h"
#include "fleet/ask/kept_paths.h"
#include "fleet/store/growth_columns.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

long double sum(const Row& row, growth::Column column) {
  return static_cast<long double>(number(row, column));
}

/// Adds the two parts of a sum.
long double joined(const Row& row, growth::Column high, growth::Column low, unsigned shift) {
  return sum(row, high) * static_cast<long double>(std::uint64_t{1} << shift) + sum(row, low);
}

/// Least squares. The sums are exact, and long double has 64 bits.
void fit_line(const Row& row, GrowthRow& series) {
  using namespace growth;
  const auto n = static_cast<long double>(series.line.samples);
  const long double t = sum(row, kT), tt = joined(row, kTtHigh, kTtLow, kTtShift);
  const long double x = sum(row, kX), tx = joined(row, kTxHigh, kTxLow, kTxShift);
  constexpr auto kKkFactor = static_cast<long double>(1U << kKkShift);
  const long double k = sum(row, kK);
  const long double kk = joined(row, kKkHigh, kKkMiddle, kKkShift) * kKkFactor + sum(row, kKkLow);
  const long double of_t = n * tt - t * t, of_tx = n * tx - t * x, of_k = n * kk - k * k;
  series.mean = static_cast<double>(x / n);
  if (of_t <= 0) return;  // all in one second
  series.line.slope = static_cast<double>(of_tx / of_t);
  // k is in KiB.
  if (of_k > 0)
    series.line.fit =
        std::min(1.0, static_cast<double>(of_tx * of_tx / (of_t * of_k * 1024 * 1024)));
}

GrowthRow growth_row(const Row& row, const Selected& selected, const KeptPaths& kept) {
  GrowthRow series;
  series.machine = text(row, growth::kMachine);
  series.archive = path_of_machine(kept, series.machine);
  series.host = selected.host_of(series.machine);
  series.name = name(row, growth::kName);
  series.cgroup = name(row, growth::kCgroup);
  series.line.samples = number(row, growth::kCount);
  series.first = number(row, growth::kFirst);
  series.last = number(row, growth::kLast);
  series.min = number(row, growth::kMinBytes);
  series.max = number(row, growth::kMaxBytes);
  series.line.seconds = static_cast<double>(series.last - series.first);
  fit_line(row, series);
  series.verdict = judge(series.line);
  return series;
}

/// The row that sums up all processes after the 200 largest (formats/fleet-rows.md). Which these
/// are may change.
bool is_sum_of_others(const Row& row) {
  return text(row, growth::kName) == "other" && text(row, growth::kCgroup).empty();
}

}  // namespace

Result<Answer> leaks_answer(Store& store, const Selected& selected, const Asked& asked) {
  KeptFiles files(asked);
  const auto kept = last_kept_paths(store, selected, files);
  if (!kept) return kept.error();
  Selection selection = selected.selection;
  std::uint64_t first_ns = std::numeric_limits<std::uint64_t>::max();
  for (const Machine& machine : selected.machines) first_ns = std::min(first_ns, machine.first_ns);
  selection.base = selected.machines.empty() ? 0 : first_ns / kSecondNs;
  GrowthRows growth{.has_all = asked.is_full};
  const auto take = [&](const Row& row) -> Status {
    if (is_sum_of_others(row)) return {};
    ++growth.series;
    GrowthRow series = growth_row(row, selected, *kept);
    if (series.verdict.grows()) ++growth.growing;
    if (series.verdict.grows() || growth.has_all) growth.rows.push_back(std::move(series));
    return {};
  };
  if (Status status = store.ask(Question::kLeaks, selection, take); !status) return status.error();
  std::sort(growth.rows.begin(), growth.rows.end(), [](const GrowthRow& a, const GrowthRow& b) {
    return std::tuple(!a.verdict.grows(), -a.line.growth(), a.host, a.machine, a.name, a.cgroup) <
           std::tuple(!b.verdict.grows(), -b.line.growth(), b.host, b.machine, b.name, b.cgroup);
  });
  Answer answer{
      .tables = {leaks_table(growth)}, .snapshots = selected.snapshots(), .missing = files.notes()};
  if (asked.has_picture) answer.charts = {leaks_chart(growth, asked.top.value_or(kCharted))};
  return answer;
}

}  // namespace physmem::fleet
