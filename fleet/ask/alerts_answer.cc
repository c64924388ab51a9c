// SPDX-License-Identifier: MIT
#include "fleet/ask/alerts_answer.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "fleet/ask/fleet_tables.h"

namespace physmem::fleet {
namespace {

/// Unit, process and rule.
using AlertName = std::tuple<std::string, std::string, std::string>;

/// A row of one machine. Of two machines that changed last in one millisecond, `last_on` is the
/// first by name, so that it does not depend on the order of rows.
void add_machine(const Row& row, const std::string& host, AlertRow& alert) {
  const bool is_first = alert.first_ms == 0;
  const std::uint64_t first = number(row, 7), last = number(row, 8);
  ++alert.hosts;
  alert.opened += number(row, 4);
  alert.closed += number(row, 5);
  alert.open_hosts += number(row, 6);
  if (first == 0) return;  // it did not change
  alert.first_ms = is_first ? first : std::min(alert.first_ms, first);
  if (is_first || last > alert.last_ms || (last == alert.last_ms && host < alert.last_on))
    alert.last_on = host;
  alert.last_ms = std::max(alert.last_ms, last);
}

/// Problems that most hosts have now, then those that opened most often.
bool comes_before(const AlertRow& a, const AlertRow& b) {
  return std::tie(b.open_hosts, b.opened, b.closed, a.unit, a.process, a.rule) <
         std::tie(a.open_hosts, a.opened, a.closed, b.unit, b.process, b.rule);
}

}  // namespace

Result<Answer> alerts_answer(Store& store, const Selected& selected, const Asked&) {
  std::map<AlertName, AlertRow> by_name;
  const auto take = [&](const Row& row) -> Status {
    const auto host = selected.host.find(text(row, 3));
    // Without machines that appeared since the machines were listed.
    if (host != selected.host.end())
      add_machine(row, host->second, by_name[{name(row, 0), name(row, 1), name(row, 2)}]);
    return {};
  };
  if (Status status = store.ask(Question::kAlerts, selected.selection, take); !status)
    return status.error();
  std::vector<AlertRow> rows;
  for (auto& [name, row] : by_name) {
    std::tie(row.unit, row.process, row.rule) = name;
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), comes_before);
  return Answer{.tables = {alerts_table(rows, selected.snapshots(), selected.machines.size())},
                .snapshots = selected.snapshots()};
}

}  // namespace physmem::fleet
