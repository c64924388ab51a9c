// SPDX-License-Identifier: MIT
#include "fleet/ask/later_snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "analyzer/shape/view.h"
#include "fleet/ask/first_names.h"
#include "fleet/ask/host_labels.h"
#include "fleet/ask/selected.h"
#include "program/duration.h"

namespace physmem::fleet {

Result<std::string> note_on_later_snapshots(Store& store, const Asked& asked) {
  if (!asked.ends_at_present()) return std::string();
  std::vector<Machine> machines;
  const auto take = [&](const Row& row) -> Status {
    machines.push_back({.id = text(row, 0), .host = name(row, 1), .last_ns = number(row, 2)});
    return {};
  };
  const Selection later{.since = asked.present()};
  if (Status status = store.ask(Question::kLater, later, take); !status) return status.error();
  if (Status status = keep_chosen(store, asked, machines); !status) return status.error();
  if (machines.empty()) return std::string();
  const auto labels = labels_of(store, later);
  if (!labels) return labels.error();
  std::sort(machines.begin(), machines.end(), [](const Machine& a, const Machine& b) {
    return std::tie(a.host, a.last_ns, a.id) < std::tie(b.host, b.last_ns, b.id);
  });
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  bool has_ids = false;
  for (const Machine& machine : machines) {
    names.push_back(fmt::format("{} ({})", labels->of(machine.id), utc_text(machine.last_ns)));
    has_ids = has_ids || (names.size() <= kNamed && labels->has_id(machine.id));
  }
  // Without --since, all of the history of the hosts would be removed.
  return fmt::format(
      "without snapshots after {0}, of {1} with a clock that is ahead: {2} "
      "(--until 2107-01-01 includes them, "
      "physmem-fleet remove --host HOST --since {0} removes them{3})",
      utc_text(asked.present() * kSecondNs), counted(machines.size(), "host"),
      first_names(names, kNamed), has_ids ? kNoteOnIds : "");
}

}  // namespace physmem::fleet
