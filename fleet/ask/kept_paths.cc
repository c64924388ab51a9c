// SPDX-License-Identifier: MIT
#include "fleet/ask/kept_paths.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "analyzer/shape/view.h"

namespace physmem::fleet {

std::string KeptFiles::path_of(const std::string& place) {
  if (place.starts_with('/') || ("/" + place + "/").find("/../") != std::string::npos) return place;
  if (archive_.empty()) return place;
  std::string path = archive_ + (archive_.ends_with('/') ? "" : "/") + place;
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() != std::filesystem::file_type::not_found) return path;
  ++gone_;
  return "";
}

std::vector<std::string> KeptFiles::notes() const {
  if (gone_ == 0) return {};
  return {fmt::format("without {} that the store names and {} does not have",
                      counted(gone_, "snapshot"), archive_)};
}

Result<KeptPaths> last_kept_paths(Store& store, const Selected& selected, KeptFiles& files) {
  KeptPaths paths;
  const auto take = [&](const Row& row) -> Status {
    paths[text(row, 0)] = files.path_of(name(row, 2));
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
