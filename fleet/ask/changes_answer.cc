// SPDX-License-Identifier: MIT
#include "fleet/ask/answers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/analyze/many/fleet_digest.h"
#include "fleet/ask/fleet_charts.h"
#include "fleet/ask/fleet_tables.h"
#include "fleet/store/checked_sums.h"

namespace physmem::fleet {
namespace {

/// What changes.sql has of a unit at one time.
struct SizeSums {
  std::uint64_t machines = 0, snapshots = 0, means = 0, parts = 0;

  /// Columns from `first` on. Each shard has a row of the unit.
  void add(const Row& row, std::size_t first, CheckedSums& checked) {
    machines += number(row, first);
    snapshots += number(row, first + 1);
    checked.add(means, number(row, first + 2));
    parts += number(row, first + 3);
  }

  ChangeRow::Side side() const {
    constexpr double kParts = 1 << 20;  // of a byte
    const double bytes = static_cast<double>(means) + static_cast<double>(parts) / kParts;
    return {machines, snapshots, machines == 0 ? 0 : bytes / static_cast<double>(machines)};
  }
};

struct Times {
  SizeSums before, after;
};

Result<std::vector<ChangeRow>> rows_of(Store& store, const Selection& selection) {
  std::map<std::string, Times> units;
  CheckedSums checked;
  const auto take = [&](const Row& row) -> Status {
    Times& unit = units[name(row, 0)];
    unit.before.add(row, 1, checked);
    unit.after.add(row, 5, checked);
    return checked.status();
  };
  if (Status status = store.ask(Question::kChanges, selection, take); !status)
    return status.error();
  std::vector<ChangeRow> rows;
  for (const auto& [unit, times] : units) {
    ChangeRow row{unit, times.before.side(), times.after.side()};
    if (row.difference() != 0) rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const ChangeRow& a, const ChangeRow& b) {
    return std::abs(a.difference()) > std::abs(b.difference());
  });
  return rows;
}

/// The machines of a time. One that was renamed may fit --host in the other time only.
Result<FleetDigest> machines_of(Store& store, const Selection& selection) {
  FleetDigest digest;
  const auto take = [&](const Row& row) -> Status {
    digest.add_machine(text(row, 0), name(row, 1), number(row, 2),
                       {number(row, 3), number(row, 4)});
    return {};
  };
  if (Status status = store.ask(Question::kMachines, selection, take); !status)
    return status.error();
  return digest;
}

/// Those of both times.
void join(std::optional<std::vector<std::string>>& names,
          const std::optional<std::vector<std::string>>& more) {
  if (!names || !more) return;
  names->insert(names->end(), more->begin(), more->end());
  std::sort(names->begin(), names->end());
  names->erase(std::unique(names->begin(), names->end()), names->end());
}

}  // namespace

Asked before_change(const Asked& asked) {
  Asked earlier = asked;
  earlier.since.reset();
  earlier.until = asked.before ? asked.before : asked.since;
  return earlier;
}

Result<Answer> changes_answer(Store& store, const Selected& selected, const Asked& asked) {
  const auto before_selected = select(store, before_change(asked));
  if (!before_selected) return before_selected.error();
  Selection selection = selected.selection;
  selection.earlier_before = before_selected->selection.before;
  join(selection.machines, before_selected->selection.machines);
  join(selection.units, before_selected->selection.units);
  const auto rows = rows_of(store, selection);
  if (!rows) return rows.error();
  Selection earlier_selection = before_selected->selection;
  earlier_selection.machines = selection.machines;
  const auto before = machines_of(store, earlier_selection), after = machines_of(store, selection);
  if (!before || !after) return before ? after.error() : before.error();
  Answer answer{.tables = {changes_table(*rows, *before, *after)},
                .snapshots = before->snapshots() + after->snapshots()};
  if (asked.has_picture)
    answer.charts = {changes_chart(*rows, *before, *after, asked.top.value_or(kCharted))};
  return answer;
}

}  // namespace physmem::fleet
