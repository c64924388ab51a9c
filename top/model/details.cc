// SPDX-License-Identifier: MIT
#include "top/model/details.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyzer/shape/map_shape.h"
#include "analyzer/shape/view.h"

namespace physmem::top {
namespace {

/// Areas without a file or a label, as in the tables of physmem-analyze.
constexpr const char* kAnonymous = "[anon]";

template <class Rows>
void sort_by_pss(Rows& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.sizes.pss > b.sizes.pss; });
}

}  // namespace

void DetailsFold::Sums::add(const PageTally& tally) {
  resident += tally.pages;
  single += tally.single;
  share += tally.share;
}

PageSizes DetailsFold::sizes_of(const Sums& sums) const {
  const PageSize page = header_.page_size;
  const double page_kib = static_cast<double>(page.bytes) / 1024;
  return {page.kib(sums.virtual_pages), page.kib(sums.resident), page.kib(sums.single),
          static_cast<Kib>(std::llround(sums.share.pages() * page_kib)), page.kib(sums.swapped)};
}

void DetailsFold::on_header(const Header& header) {
  header_ = header;
  details_ = {};
  details_.page_bytes = header.page_size.bytes;
}

bool DetailsFold::has_room() {
  details_.are_maps_cut = details_.are_maps_cut || details_.maps.size() >= kMaxMapRows;
  return !details_.are_maps_cut;
}

void DetailsFold::area(const Process& /*process*/, const Area& area) {
  if (!has_room()) return;
  View view;
  view.header = header_;
  details_.maps.push_back({area_sizes(area, view), "", true, 0, 0});
}

void DetailsFold::line(const Process& /*process*/, const Area& area, const MapLine& line) {
  if (!has_room()) return;
  const std::uint64_t address = area.vma.start + line.first_page * header_.page_size.bytes;
  details_.maps.push_back(
      {fmt::format("{:012X}", address), line.cells, false, address, line.skipped});
}

/// Anonymous pages of an area can belong to another region than its file: RELRO pages are data.
/// Such pages, resident or in swap, are that part of the area, and the rest is the file's. So no
/// region has more resident pages than virtual ones.
void DetailsFold::add_regions(const Area& area, std::array<Sums, kRegions>& regions) {
  Sums& file = regions[static_cast<std::size_t>(area.regions.file)];
  Sums& anon = regions[static_cast<std::size_t>(area.regions.anon)];
  const std::uint64_t anon_pages =
      std::min(area.tally.anon.pages + area.tally.swapped, area.virtual_pages);
  file.virtual_pages += area.virtual_pages - anon_pages;
  anon.virtual_pages += anon_pages;
  anon.swapped += area.tally.swapped;
  file.add(area.tally.file);
  anon.add(area.tally.anon);
}

void DetailsFold::on_process(const Process& process) {
  details_.pid = process.pid();
  details_.command = process.task.comm;
  std::array<Sums, kRegions> regions;
  std::map<std::string, Sums> files;
  Sums total;
  for (const Area& area : process.areas) {
    add_regions(area, regions);
    const std::string& unit = area.vma.unit.text();
    Sums& file = files[unit.empty() ? kAnonymous : unit];
    for (Sums* sums : {&file, &total}) {
      sums->virtual_pages += area.virtual_pages;
      sums->swapped += area.tally.swapped;
      sums->add(area.tally.file);
      sums->add(area.tally.anon);
      ++sums->areas;
    }
  }
  details_.total = sizes_of(total);
  for (std::size_t i = 0; i < kRegions; ++i)
    if (regions[i].resident != 0 || regions[i].swapped != 0)
      details_.regions.push_back({std::string(name(static_cast<Region>(i))), sizes_of(regions[i])});
  for (const auto& [path, sums] : files)
    details_.files.push_back({path, sums.areas, sizes_of(sums)});
  sort_by_pss(details_.regions);
  sort_by_pss(details_.files);
}

}  // namespace physmem::top
