// SPDX-License-Identifier: MIT
#include "fleet/ask/later_snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "analyzer/shape/view.h"
#include "fleet/ask/host_names.h"
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
  keep_chosen(asked, machines);
  if (machines.empty()) return std::string();
  std::sort(machines.begin(), machines.end(), [](const Machine& a, const Machine& b) {
    return std::tie(a.host, a.last_ns, a.id) < std::tie(b.host, b.last_ns, b.id);
  });
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names = names_of(machines);
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] += fmt::format(" ({})", utc_text(machines[i].last_ns));
  // Without --since, all of the history of the hosts would be removed.
  return fmt::format(
      "without snapshots after {0}, of {1} with a clock that is ahead: {2} "
      "(--until 2107-01-01 includes them, "
      "physmem-fleet remove --host HOST --since {0} removes them)",
      utc_text(asked.present() * kSecondNs), counted(machines.size(), "host"),
      first_names(names, kNamed));
}

}  // namespace physmem::fleet
