// SPDX-License-Identifier: MIT
// The part of SnapshotReader that reads V: and P:, and checks the lines of an area against each
// other.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/parse/snapshot_reader.h"

namespace physmem {

Status SnapshotReader::vma(std::string_view line, Events& events) {
  if (Status status = close_area(events); !status) return status;
  if (!header_.has_areas)
    return lines_.problem(1, "V: found in a snapshot whose header says areas=none");
  if (!has_task_) return lines_.problem(1, "V: without a T: before it");
  LineCursor cursor(line, header_.version >= 2);
  Vma vma = parse_vma(cursor, header_, options_.is_strict ? nullptr : &hints_);
  if (!cursor.ok()) return lines_.flawed('V', cursor.flaw());
  if (last_of_area_ && vma.start <= *last_of_area_)
    return lines_.problem(
        4,
        fmt::format(
            "V: start address: found {:08X}, expected one above {:08X}, where the area before ends",
            vma.start, *last_of_area_));
  ++seen_.areas;
  last_of_area_ = vma.last;
  area_.emplace(vma.start, vma.last, vma.resident);
  events.on_vma(std::move(vma));
  return {};
}

Status SnapshotReader::counts(std::string_view line, Events& events) {
  if (!area_) return lines_.problem(1, "P: without a V: before it");
  // A second P: may follow the lists of an area that changed while it was read. (Empty lists are
  // left out.) The lists are then authoritative.
  const bool again = area_->counts && header_.has_pages && header_.version >= 2;
  if (area_->counts && (!again || area_->recounted))
    return lines_.problem(1, "P: found a second one for the same area");
  LineCursor cursor(line, header_.version >= 2);
  const PageCounts counts = parse_counts(cursor, header_.version);
  if (!cursor.ok()) return lines_.flawed('P', cursor.flaw());
  const std::uint64_t pages = header_.page_size.pages(area_->last - area_->start);
  if (std::max({counts.user, counts.swapped, counts.unlisted}) > pages)
    return lines_.problem(
        4, fmt::format("P: found {} user, {} swapped and {} unlisted pages in an area of {}",
                       counts.user, counts.swapped, counts.unlisted, pages));
  if (std::max({counts.executable, counts.read_only, counts.single_use, counts.shared}) >
          counts.user ||
      counts.single_use > counts.user - counts.shared)
    return lines_.problem(
        4, fmt::format(
               "P: found {} executable, {} read-only, {} single-use and {} shared of only {} pages",
               counts.executable, counts.read_only, counts.single_use, counts.shared, counts.user));
  if (header_.version >= 2 && !again && counts.user << header_.page_size.shift() != area_->resident)
    return lines_.problem(4, fmt::format("P: found {} pages, but V: says {:08X} bytes are resident",
                                         counts.user, area_->resident));
  area_->counts = counts;
  area_->recounted = again;
  area_->counts_line = lines_.line();
  if (!header_.has_pages) {
    seen_.pages += counts.user;
    seen_.swapped += counts.swapped;
  }
  events.on_counts(counts);
  return {};
}

/// An area is complete if its P: is present and matches the entries of M: and S:. An error here
/// does not concern the line that follows, so that line is kept even with keep_going.
Status SnapshotReader::close_area(Events& events) {
  if (!area_) return {};
  const OpenArea area = *std::exchange(area_, std::nullopt);
  Status status = check_counts(area);
  if (status || !lines_.drop(status.error())) return status;
  events.on_elided();
  damaged_ = true;
  return {};
}

Status SnapshotReader::check_counts(const OpenArea& area) {
  if (area.incomplete) return {};
  if (!area.counts) {
    if (header_.version == 1) return {};
    return lines_.problem(1,
                          fmt::format("area {:08X}: expected its P: line before this", area.start));
  }
  if (!header_.has_pages) return {};
  const bool agrees = area.listed == area.counts->user && area.swapped == area.counts->swapped;
  if (header_.version == 1) {
    notes_.wrong_counts += agrees ? 0 : 1;
    return {};
  }
  if (agrees && (area.single != area.counts->single_use || area.shared != area.counts->shared))
    return lines_.problem(
        1,
        fmt::format("area {:08X}: P: on line {} says {} single-use and {} shared pages, M: lists "
                    "{} and {}",
                    area.start, area.counts_line, area.counts->single_use, area.counts->shared,
                    area.single, area.shared));
  if (agrees) return {};
  return lines_.problem(
      1, fmt::format(
             "area {:08X}: P: on line {} says {} pages and {} swapped, M: and S: list {} and {}",
             area.start, area.counts_line, area.counts->user, area.counts->swapped, area.listed,
             area.swapped));
}

}  // namespace physmem
