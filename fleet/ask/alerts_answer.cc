// SPDX-License-Identifier: MIT
#include "fleet/ask/answers.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "fleet/ask/alert_fold.h"
#include "fleet/ask/fleet_tables.h"
#include "fleet/rows/name_text.h"

namespace physmem::fleet {
namespace {

/// Adds the changes on one machine. Of two machines that changed last in one millisecond, `last_on`
/// is the first by name, so that it does not depend on the order of machines.
void add_machine(const AlertChanges& changes, const std::string& host, AlertRow& alert) {
  const bool is_first = alert.first_ms == 0;
  ++alert.hosts;
  alert.opened += changes.opened;
  alert.closed += changes.closed;
  alert.open_hosts += changes.is_open;
  if (changes.first_ms == 0) return;  // it did not change
  alert.first_ms = is_first ? changes.first_ms : std::min(alert.first_ms, changes.first_ms);
  if (is_first || changes.last_ms > alert.last_ms ||
      (changes.last_ms == alert.last_ms && host < alert.last_on))
    alert.last_on = host;
  alert.last_ms = std::max(alert.last_ms, changes.last_ms);
}

/// Problems that most hosts have now, then those that opened most often.
bool comes_before(const AlertRow& a, const AlertRow& b) {
  return std::tie(b.open_hosts, b.opened, b.closed, a.unit, a.process, a.rule) <
         std::tie(a.open_hosts, a.opened, a.closed, b.unit, b.process, b.rule);
}

}  // namespace

Result<Answer> alerts_answer(Store& store, const Selected& selected, const Asked&) {
  std::map<AlertName, AlertRow> by_name;
  const auto take_alert = [&](const std::string& machine, const AlertName& name,
                              const AlertChanges& changes) {
    const auto host = selected.host.find(machine);
    if (host == selected.host.end()) return;  // appeared since the machines were listed
    add_machine(changes, host->second,
                by_name[{unescaped_name(name.unit), unescaped_name(name.process),
                         unescaped_name(name.rule)}]);
  };
  AlertFold fold(selected.selection.since * 1000, take_alert);
  const auto take = [&](const Row& row) -> Status {
    fold.add(text(row, 0), {text(row, 1), text(row, 2), text(row, 3)}, number(row, 4),
             AlertEvent(number(row, 5)));
    return {};
  };
  if (Status status = store.ask(Question::kAlerts, selected.selection, take); !status)
    return status.error();
  fold.end();
  std::vector<AlertRow> rows;
  for (auto& [name, row] : by_name) {
    std::tie(row.unit, row.process, row.rule) = std::tie(name.unit, name.process, name.rule);
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), comes_before);
  return Answer{.tables = {alerts_table(rows, selected.snapshots(), selected.machines.size())},
                .snapshots = selected.snapshots()};
}

}  // namespace physmem::fleet
