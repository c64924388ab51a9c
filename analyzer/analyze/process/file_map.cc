// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/file_map.h"

#include <algorithm>

namespace physmem {
namespace {

bool is_path_of(std::string_view asked, std::string_view name) {
  if (asked == name) return true;
  return !asked.empty() && name.ends_with(asked) &&
         (asked.front() == '/' || name[name.size() - asked.size() - 1] == '/');
}

}  // namespace

void FileMap::on_header(const Header& header) {
  header_ = header;
  mounts_ = {};
  by_id_.clear();
  ++snapshots_;
}

void FileMap::on_owner(const RamOwner& owner) {
  mounts_.on_owner(owner);
  if (owner.kind != RamOwner::Kind::kFile) return;
  has_names_ = true;
  const std::string path = mounts_.path_of(owner);
  if (!is_path_of(path_, path)) return;
  by_id_.emplace(owner.id, files_.size());
  files_.emplace_back();
  files_.back().file = {owner, path, {}, snapshots_, header_.page_size.pages(owner.bytes)};
}

void FileMap::on_ram(const RamRun& run) {
  const auto found = by_id_.find(run.owner);
  if (found == by_id_.end()) return;
  Mapped& mapped = files_[found->second];
  mapped.file.counts.add(run);
  mapped.file.pages = std::max(mapped.file.pages, run.place + run.pages);
  mapped.runs.push_back({run.place, run.pages, map_cell(run.count)});
}

/// Places of a crafted snapshot may overlap: the first run counts.
void FileMap::for_each(const FileVisit& on_file, const LineVisit& on_line) const {
  for (const Mapped& mapped : files_) {
    on_file(mapped.file);
    std::vector<Run> runs = mapped.runs;
    std::sort(runs.begin(), runs.end(),
              [](const Run& a, const Run& b) { return a.place < b.place; });
    MapLines lines(mapped.file.pages, [&](const MapLine& line) { on_line(mapped.file, line); });
    std::uint64_t next = 0;
    for (const Run& run : runs) {
      next = std::max(next, run.place);
      const std::uint64_t end = run.place + run.pages;
      if (next < end) lines.put(next, end - next, run.cell);
      next = std::max(next, end);
    }
    lines.finish();
  }
}

}  // namespace physmem
