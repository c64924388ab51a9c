// SPDX-License-Identifier: MIT
#include "viewer/changes_message.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/shape/diff_shape.h"
#include "analyzer/shape/owner_words.h"
#include "analyzer/shape/ram_diff_shape.h"
#include "program/printable.h"

namespace physmem::view {
namespace {

using nlohmann::json;

/// Rows of each list. The page shows 200, and finds the others by a search.
constexpr std::size_t kMaxRows = 5000;

struct Pages {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t came = 0;
  std::uint64_t went = 0;

  static Pages of(const Change& change) {
    return {change.before, change.after, change.gained(), change.lost()};
  }
};

json row_of(const std::string& name, const Pages& pages) {
  return {{"name", for_picture(name)},
          {"before", pages.before},
          {"after", pages.after},
          {"came", pages.came},
          {"went", pages.went}};
}

/// `all`: the rows with those that did not change.
json list_of(std::vector<json> rows, std::size_t all) {
  const std::size_t changed = rows.size();
  if (changed > kMaxRows) rows.resize(kMaxRows);
  return {{"unchanged", all - changed}, {"left_out", changed - rows.size()}, {"rows", rows}};
}

json processes(const SnapshotDiff& diff) {
  std::vector<json> rows;
  for (const ProcessChange* change : changed_processes(diff)) {
    json row = row_of(change->name, Pages::of(change->change));
    row["pid"] = change->pid;
    row["state"] = fate_name(change->fate);
    rows.push_back(std::move(row));
  }
  return list_of(std::move(rows), diff.processes().size());
}

json units(const SnapshotDiff& diff) {
  const std::vector<UnitChange> all = diff.units();
  std::vector<json> rows;
  for (const UnitChange* change : changed_units(all))
    rows.push_back(row_of(change->unit, Pages::of(change->change)));
  return list_of(std::move(rows), all.size());
}

/// Which frames of a class stayed is not known.
json classes(const RamDiff& diff) {
  const std::vector<ClassChange> all = diff.classes();
  std::vector<json> rows;
  for (const auto& [name, before, after] : all)
    if (before != after)
      rows.push_back(row_of(class_title(name), {before, after, after - std::min(before, after),
                                                before - std::min(before, after)}));
  return list_of(std::move(rows), all.size());
}

json files(const RamDiff& diff) {
  std::vector<json> rows;
  for (const OwnerChange* change : changed_owners(diff, false))
    if (change->owner.kind == RamOwner::Kind::kFile)
      rows.push_back(row_of(change->owner.name,
                            {change->before, change->after, change->came(), change->went()}));
  const auto all = std::count_if(diff.owners().begin(), diff.owners().end(), [](const auto& row) {
    return row.owner.kind == RamOwner::Kind::kFile && row.has_pages();
  });
  return list_of(std::move(rows), static_cast<std::size_t>(all));
}

}  // namespace

std::vector<Analysis*> TwoSnapshots::analyses() {
  if (snapshots_ == 2) return {};
  return {&diff_, &ram_};
}

std::string TwoSnapshots::text() const {
  if (snapshots_ != 2 || !diff_.header_before().has_areas || !diff_.header_after().has_areas)
    return "";
  json all{{"processes", processes(diff_)}, {"units", units(diff_)}};
  if (ram_.is_known()) {
    all["classes"] = classes(ram_);
    all["files"] = files(ram_);
  }
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace physmem::view
