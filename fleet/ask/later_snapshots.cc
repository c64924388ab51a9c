// SPDX-License-Identifier: MIT
#include "fleet/ask/later_snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "analyzer/shape/view.h"
#include "fleet/ask/first_names.h"
#include "fleet/ask/selected.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

struct LaterHost {
  std::string host;
  std::uint64_t last_ns = 0;
};

}  // namespace

Result<std::string> note_on_later_snapshots(Store& store, const Asked& asked) {
  if (!asked.ends_at_present()) return std::string();
  std::vector<LaterHost> hosts;
  const auto take = [&](const Row& row) -> Status {
    LaterHost host{name(row, 1), number(row, 2)};
    if (fits_host(asked, host.host, text(row, 0))) hosts.push_back(std::move(host));
    return {};
  };
  if (Status status = store.ask(Question::kLater, {.since = asked.present()}, take); !status)
    return status.error();
  if (hosts.empty()) return std::string();
  std::sort(hosts.begin(), hosts.end(), [](const LaterHost& a, const LaterHost& b) {
    return std::tie(a.host, a.last_ns) < std::tie(b.host, b.last_ns);
  });
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const LaterHost& host : hosts)
    names.push_back(fmt::format("{} ({})", host.host, utc_text(host.last_ns)));
  // Without --since, all of the history of the hosts would be removed.
  return fmt::format(
      "without snapshots after {0}, of {1} with a clock that is ahead: {2} "
      "(--until 2107-01-01 includes them, "
      "physmem-fleet remove --host HOST --since {0} removes them)",
      utc_text(asked.present() * kSecondNs), counted(hosts.size(), "host"),
      first_names(names, kNamed));
}

}  // namespace physmem::fleet
