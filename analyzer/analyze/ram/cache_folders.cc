// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/cache_folders.h"

#include <algorithm>

namespace physmem {

// Names without a path ("[name not cached]") and "/" itself are in no folder.
template <class Visit>
std::size_t CacheFolders::descend(const OwnerIdentity& file, Visit visit) {
  std::string_view rest = file.name;
  if (rest.size() < 2 || rest.front() != '/') return kNone;
  std::size_t last = visit(Place{kNone, file.file_system, file.device});
  rest.remove_prefix(1);
  for (std::size_t level = 1; last != kNone && level < kMaxLevels; ++level) {
    const std::size_t end = rest.find('/');
    if (end == std::string_view::npos) break;
    const std::size_t next = visit(Place{last, rest.substr(0, end)});
    if (next == kNone) break;
    last = next;
    rest.remove_prefix(end + 1);
  }
  return last;
}

void CacheFolders::add(const OwnerIdentity& file, SubjectPages pages) {
  const std::size_t folder = descend(file, [this](const Place& place) {
    if (folders_.size() >= kMax) {
      const auto found = places_.find(place);
      return found == places_.end() ? kNone : found->second;
    }
    const auto [at, is_new] = places_.try_emplace(place, folders_.size());
    if (is_new) folders_.push_back({place.parent, place.name, place.device});
    return at->second;
  });
  if (folder != kNone) folders_[folder].pages += pages;
}

std::string CacheFolders::path_of(std::size_t folder) const {
  std::vector<std::string_view> names;
  for (std::size_t at = folder; folders_[at].parent != kNone; at = folders_[at].parent)
    names.push_back(folders_[at].name);
  if (names.empty()) return "/";
  std::string path;
  for (auto name = names.rbegin(); name != names.rend(); ++name) path.append("/").append(*name);
  return path;
}

void CacheFolders::follow() {
  for (std::size_t i = folders_.size(); i-- > 0;)
    if (folders_[i].parent != kNone) folders_[folders_[i].parent].pages += folders_[i].pages;
  std::vector<std::size_t> roots(folders_.size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < folders_.size() && bytes < kMaxPathBytes; ++i) {
    Folder& folder = folders_[i];
    const bool is_root = folder.parent == kNone;
    roots[i] = is_root ? i : roots[folder.parent];
    RamSeriesEntry* const parent = is_root ? cache_ : folders_[folder.parent].entry;
    if (parent == nullptr) continue;  // it has fewer pages than are followed
    std::string path = path_of(i);
    const std::size_t length = path.size();
    const Folder& root = folders_[roots[i]];
    folder.entry =
        series_.add({RamKind::kCacheFolder, std::move(path), std::string(root.name), root.device},
                    folder.pages, parent);
    if (folder.entry != nullptr) bytes += length;
  }
}

RamSeriesEntry* CacheFolders::parent_of(const OwnerIdentity& file) const {
  RamSeriesEntry* entry = cache_;
  descend(file, [&](const Place& place) {
    const auto found = places_.find(place);
    if (found == places_.end() || folders_[found->second].entry == nullptr) return kNone;
    entry = folders_[found->second].entry;
    return found->second;
  });
  return entry;
}

}  // namespace physmem
