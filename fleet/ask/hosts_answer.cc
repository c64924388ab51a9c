// SPDX-License-Identifier: MIT
#include "fleet/ask/answers.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "fleet/ask/fleet_charts.h"
#include "fleet/ask/fleet_tables.h"
#include "fleet/ask/kept_paths.h"

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

}  // namespace

Result<Answer> hosts_answer(Store& store, const Selected& selected, const Asked& asked) {
  KeptFiles files(asked);
  const auto kept = last_kept_paths(store, selected, files);
  if (!kept) return kept.error();
  std::vector<HostRow> rows;
  const auto take = [&](const Row& row) -> Status {
    rows.push_back(host_row(row, selected, *kept));
    return {};
  };
  if (Status status = store.ask(Question::kHosts, selected.selection, take); !status)
    return status.error();
  std::sort(rows.begin(), rows.end(), is_worse);
  Answer answer{.tables = {hosts_table(rows, asked.until.value_or(asked.now))},
                .snapshots = rows.size(),
                .missing = files.notes()};
  if (asked.has_picture) answer.charts = {hosts_chart(rows, asked.top.value_or(kCharted))};
  return answer;
}

Result<Answer> snapshots_answer(Store& store, const Selected& selected, const Asked& asked) {
  KeptFiles files(asked);
  std::vector<KeptRow> rows;
  const auto take = [&](const Row& row) -> Status {
    const std::string machine = text(row, 0);
    if (std::string path = files.path_of(name(row, 2)); !path.empty())
      rows.push_back({selected.host_of(machine), machine, std::move(path), number(row, 1),
                      known_number(row, 3)});
    return {};
  };
  if (Status status = store.ask(Question::kKept, selected.selection, take); !status)
    return status.error();
  std::stable_sort(rows.begin(), rows.end(), [](const KeptRow& a, const KeptRow& b) {
    return std::tie(a.host, a.machine) < std::tie(b.host, b.machine);
  });
  return Answer{.tables = {snapshots_table(rows, selected.machines.size())},
                .snapshots = rows.size(),
                .missing = files.notes()};
}

}  // namespace physmem::fleet
