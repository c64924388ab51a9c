// SPDX-License-Identifier: MIT
#include "analyzer/parse/ram_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/parse/record_parser.h"

namespace physmem {
namespace {

constexpr std::size_t kFirstField = 3;  ///< position after the letter, the colon and a blank

}  // namespace

void RamRecords::read(char letter, LineCursor& cursor, Events& events) {
  if (letter == 'O') return owner(cursor, events);
  if (letter == 'R') return run(cursor, events);
  const Zone zone = parse_zone(cursor);
  if (cursor.ok() && (seen_.owners != 0 || seen_.runs != 0))
    cursor.fail(0, "found a zone after owners or runs, expected all zones before them");
  if (cursor.ok() && ++seen_.zones > kMaxZones)
    cursor.fail(0, fmt::format("found more than {} zones, expected at most so many", kMaxZones));
  if (cursor.ok()) events.on_zone(zone);
}

void RamRecords::owner(LineCursor& cursor, Events& events) {
  RamOwner owner = parse_owner(cursor);
  if (cursor.ok() && owner.id <= last_owner_)
    cursor.fail(kFirstField, fmt::format("owner: found {}, expected an id above {}, the last one",
                                         owner.id, last_owner_));
  if (!cursor.ok()) return;
  last_owner_ = owner.id;
  ++seen_.owners;
  events.on_owner(std::move(owner));
}

void RamRecords::run(LineCursor& cursor, Events& events) {
  const RamRun run = parse_ram(cursor);
  if (!cursor.ok()) return;
  if (run.first_pfn < end_)
    cursor.fail(kFirstField,
                fmt::format("first frame: found {:08X}, expected {:08X} or above: runs ascend and "
                            "do not overlap",
                            run.first_pfn, end_));
  else if (run.pages == 0 || run.first_pfn > kMaxFrames || run.pages > kMaxFrames - run.first_pfn)
    cursor.fail(kFirstField, fmt::format("frames: found {} from {:08X} on, expected 1 or more, up "
                                         "to frame {:X}",
                                         run.pages, run.first_pfn, kMaxFrames));
  else if (const std::uint64_t id = std::max(run.owner, run.cgroup); id > last_owner_)
    cursor.fail(kFirstField, fmt::format("owner: found {}, expected an id of an O: line before "
                                         "this line (the last one is {})",
                                         id, last_owner_));
  if (!cursor.ok()) return;
  end_ = run.first_pfn + run.pages;
  ++seen_.runs;
  seen_.frames += run.pages;
  events.on_ram(run);
}

void RamRecords::on_counter(const Counter& counter) {
  if (counter.name == "ram.runs") stated_runs_ = counter.value;
  if (counter.name == "ram.frames") stated_frames_ = counter.value;
  if (counter.name == "ram.owners") stated_owners_ = counter.value;
}

std::string RamRecords::mismatch() const {
  if (stated_runs_.value_or(seen_.runs) == seen_.runs &&
      stated_frames_.value_or(seen_.frames) == seen_.frames &&
      stated_owners_.value_or(seen_.owners) == seen_.owners)
    return {};
  return fmt::format("G: says {} runs of RAM with {} frames, {} owners; the file has {}, {}, {}",
                     stated_runs_.value_or(0), stated_frames_.value_or(0),
                     stated_owners_.value_or(0), seen_.runs, seen_.frames, seen_.owners);
}

}  // namespace physmem
