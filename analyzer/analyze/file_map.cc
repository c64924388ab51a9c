// SPDX-License-Identifier: MIT
#include "analyzer/analyze/file_map.h"

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
  ++snapshots_;
}

void FileMap::on_owner(const RamOwner& owner) {
  mounts_.on_owner(owner);
  if (owner.kind != RamOwner::Kind::kFile) return;
  const std::string path = mounts_.path_of(owner);
  if (!is_path_of(path_, path)) return;
  files_.emplace_back();
  files_.back().file = {owner, path, {}, snapshots_, header_.page_size.pages(owner.bytes)};
}

void FileMap::on_ram(const RamRun& run) {
  if (run.owner == 0) return;
  const auto found = std::find_if(files_.rbegin(), files_.rend(), [&](const Mapped& mapped) {
    return mapped.file.snapshot == snapshots_ && mapped.file.owner.id == run.owner;
  });
  if (found == files_.rend()) return;
  found->file.counts.add(run);
  found->file.pages = std::max(found->file.pages, run.place + run.pages);
  const auto cell = static_cast<std::uint8_t>(1 + std::min<std::uint64_t>(run.count, 10));
  found->cells.for_each_stretch(run.place, run.pages, [&](std::span<std::uint8_t> cells) {
    std::fill(cells.begin(), cells.end(), cell);
  });
}

void FileMap::for_each(const FileVisit& on_file, const LineVisit& on_line) const {
  for (const Mapped& mapped : files_) {
    on_file(mapped.file);
    MapLines lines(mapped.file.pages, [&](const MapLine& line) { on_line(mapped.file, line); });
    mapped.cells.for_each_chunk([&](std::uint64_t first, const auto& cells) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] != 0) lines.put(first + i, map_cell(cells[i] - 1u));
    });
    lines.finish();
  }
}

}  // namespace physmem
