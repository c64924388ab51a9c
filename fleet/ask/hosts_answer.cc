// SPDX-License-Identifier: MIT
#include "fleet/ask/hosts_answer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fleet/ask/fleet_charts.h"
#include "fleet/ask/fleet_tables.h"
#include "fleet/ask/kept_paths.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

/// The less available, the earlier; unknown last.
bool is_worse(const HostRow& a, const HostRow& b) {
  const auto share = [](const HostRow& row) {
    if (!row.ram || !row.available || *row.ram == 0) return 2.0;
    return static_cast<double>(*row.available) / static_cast<double>(*row.ram);
  };
  return std::tuple(share(a), a.host, a.machine) < std::tuple(share(b), b.host, b.machine);
}

HostRow host_row(const Row& row, const Selected& selected, const KeptPaths& kept) {
  HostRow host;
  host.machine = text(row, 0);
  host.host = selected.host_of(host.machine);
  host.time_ns = number(row, 1);
  host.archive = path_of_machine(kept, host.machine);
  host.kernel = name(row, 2);
  host.release = name(row, 3);
  host.ram = known_number(row, 5) ? known_number(row, 5) : known_number(row, 4);
  host.available = known_number(row, 6);
  const auto swap = known_number(row, 7), swap_free = known_number(row, 8);
  if (swap && swap_free) host.swap_used = *swap - std::min(*swap, *swap_free);
  host.processes = known_number(row, 9);
  host.alerts = known_number(row, 10);
  return host;
}

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

}  // namespace

Result<Answer> hosts_answer(Store& store, const Selected& selected, const Asked& asked) {
  const auto kept = last_kept_paths(store, selected, asked);
  if (!kept) return kept.error();
  std::vector<HostRow> rows;
  const auto take = [&](const Row& row) -> Status {
    rows.push_back(host_row(row, selected, *kept));
    return {};
  };
  if (Status status = store.ask(Question::kHosts, selected.selection, take); !status)
    return status.error();
  std::sort(rows.begin(), rows.end(), is_worse);
  return Answer{.tables = {hosts_table(rows, asked.until.value_or(asked.now))},
                .charts = {hosts_chart(rows, asked.top.value_or(kCharted))},
                .snapshots = rows.size()};
}

Result<Answer> gaps_answer(Store& store, const Selected& selected, const Asked& asked) {
  const std::map<std::string, std::uint64_t> late =
      late_machines(selected.machines, asked.until.value_or(asked.now));
  std::vector<GapRow> rows;
  const auto take = [&](const Row& row) -> Status {
    GapRow gap{text(row, 0),   selected.host_of(text(row, 0)),
               name(row, 1),   number(row, 2),
               number(row, 3), number(row, 4),
               number(row, 5), number(row, 6),
               number(row, 7), {}};
    // Of its boots, the last one is late.
    if (!rows.empty() && rows.back().machine == gap.machine) rows.back().late_s.reset();
    if (const auto found = late.find(gap.machine); found != late.end()) gap.late_s = found->second;
    rows.push_back(std::move(gap));
    return {};
  };
  if (Status status = store.ask(Question::kGaps, selected.selection, take); !status)
    return status.error();
  rows.erase(
      std::remove_if(rows.begin(), rows.end(), [](const GapRow& row) { return !row.has_gap(); }),
      rows.end());
  std::stable_sort(rows.begin(), rows.end(), [](const GapRow& a, const GapRow& b) {
    return std::tie(a.host, a.machine) < std::tie(b.host, b.machine);
  });
  return Answer{.tables = {gaps_table(rows, selected.machines.size())},
                .snapshots = selected.snapshots()};
}

Result<Answer> snapshots_answer(Store& store, const Selected& selected, const Asked& asked) {
  std::vector<KeptRow> rows;
  const auto take = [&](const Row& row) -> Status {
    const std::string machine = text(row, 0);
    rows.push_back({selected.host_of(machine), machine, path_of(name(row, 2), asked),
                    number(row, 1), known_number(row, 3)});
    return {};
  };
  if (Status status = store.ask(Question::kKept, selected.selection, take); !status)
    return status.error();
  std::stable_sort(rows.begin(), rows.end(), [](const KeptRow& a, const KeptRow& b) {
    return std::tie(a.host, a.machine) < std::tie(b.host, b.machine);
  });
  return Answer{.tables = {snapshots_table(rows, selected.machines.size())},
                .snapshots = rows.size()};
}

}  // namespace physmem::fleet
