// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/frame_runs.h"

#include <algorithm>
#include <limits>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr std::uint64_t kUnownedPage = PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE;
/// Limit for frames that only the header states: 256 GiB of 4 KiB pages. The page uses five bytes
/// for each.
constexpr std::uint64_t kMaxUnmapped = std::uint64_t{1} << 26;
constexpr std::uint64_t kMaxInRun = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void FrameRuns::on_header(const Header& header) {
  header_ = header;
  frames_end_ = std::min(header.ram_pages.value_or(0), kMaxUnmapped);
}

void FrameRuns::on_area(const Process&, const Area&) {
  of_area_ = {kNoPart, kNoPart};
}

std::uint32_t FrameRuns::unit(const RegionMap::Marks& marks) {
  names_.add(marks);
  return unit_numbers_.try_emplace(marks.key(), static_cast<std::uint32_t>(unit_numbers_.size()))
      .first->second;
}

std::uint32_t FrameRuns::part(const Process& process, const Area& area, bool is_anon) {
  std::uint32_t& part = of_area_[is_anon ? 1 : 0];
  if (part != kNoPart) return part;
  part = static_cast<std::uint32_t>(parts_.size());
  parts_.push_back({static_cast<std::uint32_t>(owners_.size()), area.vma.start, area.virtual_pages,
                    0, Region::kUnexplained, area.vma.flags});
  pending_.push_back({part, static_cast<std::size_t>(&area - process.areas.data()), is_anon});
  return part;
}

void FrameRuns::on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) {
  if (header_.pfn_hidden) return;
  for_each_page(runs, header_.page_size.bytes, [&](const PageRun& page) {
    if (header_.stable_flags && (page.flags & kUnownedPage) != 0) {
      ++unowned_;
      return;
    }
    const bool is_anon = header_.stable_flags && (page.flags & PM_PAGE_ANON) != 0;
    const std::uint64_t number = (page.va - area.vma.start) >> header_.page_size.shift();
    const std::uint64_t frame = header_.frame(page.value);
    if (number > kMaxInRun || frame >= kMaxFramesEnd) {
      ++too_far_;
      return;
    }
    add({part(process, area, is_anon), static_cast<std::uint32_t>(number), frame, 1,
         static_cast<std::uint32_t>(std::min(page.count, kMaxInRun))});
  });
}

void FrameRuns::add(const MappedRun& page) {
  frames_end_ = std::max(frames_end_, page.first_frame + 1);
  if (!runs_.empty()) {
    MappedRun& last = runs_.back();
    if (last.area == page.area && last.mappings == page.mappings &&
        last.first_page + last.pages == page.first_page &&
        last.first_frame + last.pages == page.first_frame) {
      ++last.pages;
      return;
    }
  }
  runs_.push_back(page);
}

void FrameRuns::on_process(const Process& process) {
  for (const Pending& pending : pending_) {
    const Area& area = process.areas[pending.area];
    parts_[pending.part].region = pending.is_anon ? area.regions.anon : area.regions.file;
    parts_[pending.part].unit = unit(area.marks);
  }
  pending_.clear();
  // In a damaged file VMAs may follow the line of a kernel thread. Their parts refer to an owner.
  if (process.is_kernel_thread() && process.areas.empty()) return;
  Owner owner{process.pid(), process.task.comm};
  if (process.task.identity) owner.uid = process.task.identity->uid;
  if (process.task.group) owner.cgroup = process.task.group->cgroup;
  for (const Area& area : process.areas) {
    owner.resident += area.tally.resident();
    owner.unique += area.tally.unique();
    owner.swapped += area.tally.swapped;
  }
  owners_.push_back(std::move(owner));
}

void FrameRuns::on_end() {
  units_.resize(unit_numbers_.size());
  for (const auto& [key, number] : unit_numbers_) {
    const std::string name = names_.label(key);
    units_[number] = name.empty() ? "[anonymous]" : name;
  }
  std::sort(runs_.begin(), runs_.end(), [](const MappedRun& a, const MappedRun& b) {
    return a.first_frame != b.first_frame ? a.first_frame < b.first_frame : a.area < b.area;
  });
}

}  // namespace physmem
