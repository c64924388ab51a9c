// SPDX-License-Identifier: MIT
#include "fleet/ask/too_large.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fleet/ask/selected.h"

namespace physmem::fleet {

Error with_largest_host(Store& store, const Selection& time, Error problem) {
  if (problem.kind != Error::Kind::kTooLarge) return problem;
  std::string machine;
  std::uint64_t largest = 0;
  const auto take_size = [&](const Row& row) -> Status {
    if (machine.empty() || number(row, 1) > largest) machine = text(row, 0);
    largest = std::max(largest, number(row, 1));
    return {};
  };
  if (Status status = store.ask(Question::kLargest, time, take_size); !status)
    return status.error();
  if (machine.empty()) return problem;
  std::string host = machine;
  const Selection of_machine{.since = time.since, .before = time.before, .machines = {{machine}}};
  const auto take_host = [&](const Row& row) -> Status {
    host = name(row, 1);
    return {};
  };
  if (Status status = store.ask(Question::kMachines, of_machine, take_host); !status)
    return status.error();
  problem.text += fmt::format(
      "; the largest sizes are those of host {} (physmem-fleet remove --host {} removes its "
      "reports)",
      host, machine);
  return problem;
}

}  // namespace physmem::fleet
