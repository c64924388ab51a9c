// SPDX-License-Identifier: MIT
#include "physmem/difference.h"

#include <utility>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/diff/snapshot_diff.h"
#include "library/opened_file.h"

namespace physmem {
namespace {

void set_sums(ChangeSums& row, const Change& change, bool knows_private) {
  row.before = change.before;
  row.after = change.after;
  row.gained = change.gained();
  row.lost = change.lost();
  row.swap_before = change.swapped_before;
  row.swap_after = change.swapped_after;
  if (!change.is_by_page) return;
  row.moved = change.kept.moved;
  if (!knows_private) return;
  row.to_private = change.kept.to_private;
  row.copied = change.kept.copied;
  row.to_shared = change.kept.to_shared;
}

}  // namespace

struct Difference::Data {
  explicit Data(const SnapshotDiff& diff) : knows_private(diff.knows_private()) {
    for (const ProcessChange& change : diff.processes()) add(change);
    for (const AreaChange& change : diff.areas()) add(change);
    for (const UnitChange& change : diff.units()) add(change, diff.knows_distinct());
  }

  void add(const ProcessChange& change) {
    ProcessChangeRow& row = processes.emplace_back();
    set_sums(row, change.change, knows_private);
    row.pid = change.pid;
    row.name = change.name;
    row.name_before = change.name_before;
    row.state = fate_name(change.fate);
  }

  void add(const AreaChange& change) {
    AreaChangeRow& row = areas.emplace_back();
    set_sums(row, change.change, knows_private);
    row.pid = processes[change.process].pid;
    row.process = change.process;
    row.start = change.start;
    row.last = change.last;
    row.region = name(change.region);
    row.unit = change.unit;
    row.state = fate_name(change.fate);
  }

  void add(const UnitChange& change, bool knows_distinct) {
    UnitChangeRow& row = units.emplace_back();
    set_sums(row, change.change, knows_private);
    row.unit = change.unit;
    if (!knows_distinct) return;
    row.distinct_before = change.distinct_before;
    row.distinct_after = change.distinct_after;
  }

  bool knows_private;
  std::vector<ProcessChangeRow> processes;
  std::vector<AreaChangeRow> areas;
  std::vector<UnitChangeRow> units;
};

Difference Difference::between(const std::filesystem::path& before,
                               const std::filesystem::path& after, const OpenOptions& options) {
  SnapshotDiff diff;
  const ProcessFilter only{.pids = {options.pids.begin(), options.pids.end()}};
  for (const auto& path : {before, after}) {
    Census census({&diff}, only);  // one per snapshot: ids of address spaces may occur again
    OpenedFile(path, options.jobs).next(census);
  }
  return Difference(std::make_shared<const Data>(diff));
}

const std::vector<ProcessChangeRow>& Difference::processes() const {
  return data_->processes;
}
const std::vector<AreaChangeRow>& Difference::areas() const {
  return data_->areas;
}
const std::vector<UnitChangeRow>& Difference::units() const {
  return data_->units;
}

}  // namespace physmem
