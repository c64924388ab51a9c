// SPDX-License-Identifier: MIT
#include "fleet/load/folder_turns.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

namespace physmem::fleet {

std::string folder_of(const SnapshotFile& file) {
  if (file.below == 0) return {};
  const std::string place = file.path.substr(file.below);
  const std::size_t end = place.find('/');
  return end == place.npos ? std::string() : place.substr(0, end);
}

std::vector<SnapshotFile> FolderTurns::in_turns(std::vector<SnapshotFile> files) const {
  struct Turn {
    std::size_t round;
    bool is_before;  ///< the folder after the last one, in the next round of all folders
    std::string folder;
    std::size_t file;
  };
  std::map<std::string, std::size_t> rounds;
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::string folder = folder_of(files[i]);
    const std::size_t round = rounds[folder]++;
    turns.push_back({round, folder <= last_, std::move(folder), i});
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::tie(a.round, a.is_before, a.folder, a.file) <
           std::tie(b.round, b.is_before, b.folder, b.file);
  });
  std::vector<SnapshotFile> ordered;
  ordered.reserve(files.size());
  for (const Turn& turn : turns) ordered.push_back(std::move(files[turn.file]));
  return ordered;
}

}  // namespace physmem::fleet
