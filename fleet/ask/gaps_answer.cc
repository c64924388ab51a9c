// SPDX-License-Identifier: MIT
#include "fleet/ask/answers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fleet/ask/fleet_tables.h"
#include "fleet/rows/name_text.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

/// s of one snapshot; nothing if the machine has only one.
std::optional<std::uint64_t> mean_interval(const Machine& machine) {
  if (machine.snapshots < 2) return std::nullopt;
  return (machine.last_ns - machine.first_ns) / kSecondNs / (machine.snapshots - 1);
}

/// A machine is late if its last snapshot is older than three of its mean intervals; a machine with
/// one snapshot, than three of the largest interval of the others. Machine → age in s.
std::map<std::string, std::uint64_t> late_machines(const std::vector<Machine>& machines,
                                                   std::uint64_t now) {
  constexpr std::uint64_t kLate = 3;
  std::uint64_t largest = 0;
  for (const Machine& machine : machines)
    largest = std::max(largest, mean_interval(machine).value_or(0));
  std::map<std::string, std::uint64_t> late;
  for (const Machine& machine : machines) {
    const std::uint64_t interval = mean_interval(machine).value_or(largest);
    const std::uint64_t last = machine.last_ns / kSecondNs;
    const bool is_judged = machine.snapshots > 1 || largest != 0;
    if (is_judged && now > last + kLate * std::max<std::uint64_t>(interval, 1))
      late[machine.id] = now - last;
  }
  return late;
}

/// Adds a run of numbers, and the gap before it, to the boot that it is of.
void add_run(const Row& row, GapRow& boot) {
  const bool is_first = boot.snapshots == 0;
  const std::uint64_t first = number(row, 6), last = number(row, 7);
  boot.snapshots += number(row, 2);
  boot.missing += number(row, 3);
  boot.series += number(row, 4);
  boot.lost += number(row, 5);
  boot.first_ns = is_first ? first : std::min(boot.first_ns, first);
  boot.last_ns = std::max(boot.last_ns, last);
  if (number(row, 3) == 0) return;
  if (boot.ranges.empty()) {
    boot.before_ns = number(row, 10);
    boot.after_ns = number(row, 11);
  }
  if (boot.ranges.size() < GapRow::kMaxRanges)
    boot.ranges.emplace_back(number(row, 8), number(row, 9));
}

/// By machine and beginning.
Result<std::vector<GapRow>> boots_of(Store& store, const Selected& selected) {
  std::map<std::pair<std::string, std::string>, GapRow> boots;
  const auto take = [&](const Row& row) -> Status {
    add_run(row, boots[{text(row, 0), text(row, 1)}]);
    return {};
  };
  if (Status status = store.ask(Question::kGaps, selected.selection, take); !status)
    return status.error();
  std::vector<GapRow> rows;
  for (auto& [names, boot] : boots) {
    boot.machine = names.first;
    boot.host = selected.host_of(boot.machine);
    boot.boot = unescaped_name(names.second);
    rows.push_back(std::move(boot));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const GapRow& a, const GapRow& b) {
    return std::tie(a.host, a.machine, a.first_ns) < std::tie(b.host, b.machine, b.first_ns);
  });
  return rows;
}

}  // namespace

Result<Answer> gaps_answer(Store& store, const Selected& selected, const Asked& asked) {
  auto rows = boots_of(store, selected);
  if (!rows) return rows.error();
  const std::map<std::string, std::uint64_t> late =
      late_machines(selected.machines, asked.until.value_or(asked.now));
  for (std::size_t i = 0; i < rows->size(); ++i) {
    // Only the last boot of a machine can be late.
    GapRow& row = (*rows)[i];
    const bool is_last = i + 1 == rows->size() || (*rows)[i + 1].machine != row.machine;
    if (const auto found = late.find(row.machine); is_last && found != late.end())
      row.late_s = found->second;
  }
  std::erase_if(*rows, [](const GapRow& row) { return !row.has_gap(); });
  return Answer{.tables = {gaps_table(*rows, selected.machines.size())},
                .snapshots = selected.snapshots()};
}

}  // namespace physmem::fleet
