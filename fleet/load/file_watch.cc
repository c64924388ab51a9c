// SPDX-License-Identifier: MIT
#include "fleet/load/file_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace physmem::fleet {

/// Deleted files are forgotten, so memory depends on the number of existing files only.
Result<FileWatch::Found> FileWatch::scan() {
  auto found = find_snapshot_files(paths_, "");
  if (!found) return found.error();
  ++scans_;
  Found result;
  for (SnapshotFile& file : found->files) {
    struct stat status {};
    if (::stat(file.path.c_str(), &status) != 0) continue;  // removed since the scan
    const std::int64_t changed = status.st_ctim.tv_sec * 1'000'000'000 + status.st_ctim.tv_nsec;
    const Stamp stamp{static_cast<std::uint64_t>(status.st_size), changed, scans_};
    Stamp& known = seen_[file.path];
    const bool is_new =
        known.scan == 0 || known.bytes != stamp.bytes || known.changed_ns != stamp.changed_ns;
    known = stamp;
    if (is_new) result.files.push_back(std::move(file));
  }
  std::erase_if(seen_, [&](const auto& file) { return file.second.scan != scans_; });
  for (const std::string& problem : found->problems)
    if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end())
      result.problems.push_back(problem);
  problems_ = std::move(found->problems);
  return result;
}

}  // namespace physmem::fleet
