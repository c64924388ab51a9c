// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/file_parts.h"

#include <algorithm>

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
  const auto process = static_cast<std::uint32_t>(processes_.size());
  const unsigned shift = header_.page_size.shift();
  for (const PageRun& run : runs) {
    if ((run.flags & PM_PAGE_ANON) != 0 || !has_counted_mappings(run)) continue;
    const std::uint64_t first = (area.vma.offset >> shift) + ((run.va - area.vma.start) >> shift);
    edges.push_back({first, process, true});
    edges.push_back({first + run.pages, process, false});
  }
}

void FileParts::on_process(const Process& process) {
  processes_.push_back({process.pid(), process.task.comm});
}

void FileParts::add_parts(const std::string& file, std::vector<Edge> edges,
                          std::vector<FilePart>& parts) const {
  const unsigned shift = header_.page_size.shift();
  const std::size_t before = parts.size();
  std::ranges::sort(edges);
  std::map<std::uint32_t, std::uint64_t> open;  // mappings of each process at this page
  bool has_changed = true;
  for (auto edge = edges.begin(); edge != edges.end();) {
    const std::uint64_t page = edge->page;
    while (edge != edges.end() && edge->page == page) {
      const std::uint32_t process = edge->process;
      const std::uint64_t mappings = open[process];
      std::uint64_t& now = open[process];
      for (; edge != edges.end() && edge->page == page && edge->process == process; ++edge)
        now += edge->is_begin ? 1 : -1;
      has_changed = has_changed || (mappings == 0) != (now == 0);
      if (now == 0) open.erase(process);
    }
    if (open.empty()) continue;
    const bool continues = !has_changed && parts.size() > before;
    if (!continues) {
      FilePart& part = parts.emplace_back(FilePart{.file = file, .offset = page << shift});
      for (const auto& [process, mappings] : open) part.processes.push_back(process);
    }
    parts.back().pages += edge->page - page;
    has_changed = false;
  }
}

std::vector<FilePart> FileParts::parts() const {
  std::vector<FilePart> parts;
  for (const auto& [key, edges] : edges_) add_parts(names_.label(key), edges, parts);
  std::ranges::stable_sort(parts, {}, &FilePart::file);
  return parts;
}

}  // namespace physmem
