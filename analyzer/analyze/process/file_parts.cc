// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/file_parts.h"

#include <algorithm>
#include <functional>

#include "analyzer/analyze/mapping_sweep.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "formats/emit/flags.h"

namespace physmem {

void FileParts::on_header(const Header& header) {
  *this = FileParts(std::move(files_));
  header_ = header;
}

void FileParts::on_pages(const Process&, const Area& area, std::span<const PageRun> runs) {
  const bool is_of_object = has_file(area.vma) || area.vma.inode != 0;  // or shared memory
  if (!is_of_object || !fits_unit(area, files_)) return;
  std::vector<Edge>& edges = edges_[area.marks.key()];
  names_.add(area.marks);
  const auto process = static_cast<std::uint32_t>(commands_.size());
  const unsigned shift = header_.page_size.shift();
  for (const PageRun& run : runs) {
    if ((run.flags & PM_PAGE_ANON) != 0 || !has_counted_mappings(run)) continue;
    const std::uint64_t first = (area.vma.offset >> shift) + ((run.va - area.vma.start) >> shift);
    edges.push_back({first, process, true});
    edges.push_back({first + run.pages, process, false});
  }
}

void FileParts::on_process(const Process& process) {
  commands_.push_back(process.task.comm);
}

/// `open`: the processes that map the part, and how often.
FilePart FileParts::part(const std::string& file,
                         const std::map<std::uint32_t, std::uint64_t>& open) const {
  std::map<std::string, std::uint64_t> commands;
  for (const auto& [process, mappings] : open) ++commands[commands_[process]];
  FilePart part{.file = file, .processes = open.size()};
  part.commands.assign(commands.begin(), commands.end());
  std::ranges::stable_sort(part.commands, std::greater<>(),
                           &std::pair<std::string, std::uint64_t>::second);
  return part;
}

void FileParts::add_parts(const std::string& file, std::vector<Edge> edges,
                          std::vector<FilePart>& parts) const {
  const std::size_t before = parts.size();
  std::ranges::sort(edges);
  std::map<std::uint32_t, std::uint64_t> open, last;
  for (auto edge = edges.begin(); edge != edges.end();) {
    const std::uint64_t page = edge->page;
    for (; edge != edges.end() && edge->page == page; ++edge) {
      const auto found = open.try_emplace(edge->process, 0).first;
      found->second += edge->is_begin ? 1 : -1;
    }
    std::erase_if(open, [](const auto& one) { return one.second == 0; });
    if (open.empty()) continue;
    const std::uint64_t pages = edge->page - page;
    const std::uint64_t offset = page << header_.page_size.shift();
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    const bool continues =
        parts.size() > before && std::ranges::equal(open, last, same) &&
        parts.back().offset + (parts.back().pages << header_.page_size.shift()) == offset;
    if (!continues) {
      parts.push_back(part(file, open));
      parts.back().offset = offset;
      last = open;
    }
    parts.back().pages += pages;
  }
}

std::vector<FilePart> FileParts::parts() const {
  std::vector<FilePart> parts;
  for (const auto& [key, edges] : edges_) add_parts(names_.label(key), edges, parts);
  std::ranges::stable_sort(parts, {}, &FilePart::file);
  return parts;
}

}  // namespace physmem
