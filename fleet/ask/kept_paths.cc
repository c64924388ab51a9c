// SPDX-License-Identifier: MIT
#include "fleet/ask/kept_paths.h"

namespace physmem::fleet {

std::string path_of(const std::string& place, const Asked& asked) {
  if (place.starts_with('/') || ("/" + place + "/").find("/../") != std::string::npos) return place;
  const bool has_slash = asked.archive.empty() || asked.archive.ends_with('/');
  return asked.archive + (has_slash ? "" : "/") + place;
}

Result<KeptPaths> last_kept_paths(Store& store, const Selected& selected, const Asked& asked) {
  KeptPaths paths;
  const auto take = [&](const Row& row) -> Status {
    paths[text(row, 0)] = path_of(name(row, 2), asked);
    return {};
  };
  Status status = store.ask(Question::kLastKept, selected.selection, take);
  if (!status) return status.error();
  return paths;
}

std::string path_of_machine(const KeptPaths& paths, const std::string& machine) {
  const auto found = paths.find(machine);
  return found == paths.end() ? "" : found->second;
}

}  // namespace physmem::fleet
