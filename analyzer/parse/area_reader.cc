// SPDX-License-Identifier: MIT
// The part of SnapshotReader that reads V: and P:, and passes the lines of an area to AreaEntries.
#include <fmt/format.h>

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
  area_.emplace(vma, header_);
  events.on_vma(std::move(vma));
  return {};
}

Status SnapshotReader::counts(std::string_view line, Events& events) {
  if (!area_) return lines_.problem(1, "P: without a V: before it");
  LineCursor cursor(line, header_.version >= 2);
  const PageCounts counts = area_->read_counts(cursor, lines_.line());
  if (!cursor.ok()) return lines_.flawed('P', cursor.flaw());
  events.on_counts(counts);
  return {};
}

/// An error here does not concern the line that follows, so that line is kept even with keep_going.
Status SnapshotReader::close_area(Events& events) {
  if (!area_) return {};
  seen_.pages += area_->pages();
  seen_.swapped += area_->swapped();
  if (header_.version == 1 && area_->is_miscounted()) ++notes_.wrong_counts;
  const auto flaw = area_->check();
  area_.reset();
  if (!flaw) return {};
  const Error error = lines_.problem(flaw->column, flaw->text);
  if (!lines_.drop(error)) return error;
  events.on_elided();
  damaged_ = true;
  return {};
}

}  // namespace physmem
