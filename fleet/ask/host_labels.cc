// SPDX-License-Identifier: MIT
#include "fleet/ask/host_labels.h"

#include <fmt/format.h>

#include "fleet/ask/selected.h"
#include "fleet/model/report.h"

namespace physmem::fleet {

std::string HostLabels::of(const std::string& host, const std::string& machine,
                           std::size_t shown) const {
  const auto found = machines_.find(host);
  if (found == machines_.end() || found->second.size() == 1) return host;
  return fmt::format("{} [{}]", host, machine.substr(0, shown));
}

Result<HostLabels> labels_of_all(Store& store) {
  HostLabels labels;
  const auto take = [&](const Row& row) -> Status {
    labels.add(name(row, 1), text(row, 0));
    return {};
  };
  const Selection all_times{.before = kMaxSecond + 1};
  if (Status status = store.ask(Question::kMachines, all_times, take); !status)
    return status.error();
  return labels;
}

}  // namespace physmem::fleet
