// SPDX-License-Identifier: MIT
#include "fleet/ask/removal.h"

#include <algorithm>
#include <utility>

#include "analyzer/shape/view.h"
#include "fleet/ask/check_times.h"
#include "fleet/ask/host_names.h"
#include "fleet/ask/selected.h"
#include "fleet/model/report.h"
#include "program/duration.h"

namespace physmem::fleet {

Result<Removal> find_removal(Store& store, const Asked& asked) {
  if (Status status = check_order(asked); !status) return status.error();
  const auto expired = store.expired_before();
  if (!expired) return expired.error();
  if (Status status = check_expired(*expired, asked); !status) return status.error();
  Asked of_all_times = asked;
  if (!asked.until) of_all_times.until = kMaxSecond + 1;
  auto selected = select(store, of_all_times);
  if (!selected) return selected.error();
  Removal removal{.selection = std::move(selected->selection),
                  .hosts = names_of(selected->machines),
                  .snapshots = selected->snapshots()};
  for (const Machine& machine : selected->machines)
    if (machine.first_ns / kSecondNs < *expired) removal.expired = *expired;
  std::sort(removal.hosts.begin(), removal.hosts.end());
  return removal;
}

std::vector<std::string> report_of(const Removal& removal, bool is_dry_run, bool is_whole) {
  const bool has_time = removal.selection.since != 0 || removal.selection.before <= kMaxSecond;
  if (removal.hosts.empty()) return {note_on_no_host(has_time)};
  constexpr std::size_t kNamed = 10;
  const std::string what =
      counted(removal.snapshots, "snapshot") + " of " + counted(removal.hosts.size(), "host");
  const std::string names = first_names(removal.hosts, kNamed);
  if (is_dry_run) return {"would remove " + what + " from the store: " + names};
  if (!is_whole) return {"interrupted while " + what + " were removed: the same command goes on"};
  std::vector<std::string> lines{what + " removed from the store: " + names};
  if (removal.expired != 0)
    lines.push_back("the trend of days before " + utc_text(removal.expired * kSecondNs) +
                    " still has them: the store has only its sums of all hosts");
  return lines;
}

}  // namespace physmem::fleet
