// SPDX-License-Identifier: MIT
// One table of the tables of several groups of frames.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/ram/frame_split.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Whether a row has no number but 0, as of a process without pages in a group.
inline bool is_empty(const std::vector<Cell>& row, const std::vector<Column>& columns) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto* const number = std::get_if<std::uint64_t>(&row[i]);
    const auto* const share = std::get_if<double>(&row[i]);
    const bool is_zero = (number == nullptr || *number == 0) && (share == nullptr || *share == 0);
    if (!is_zero && columns[i].title != "PID") return false;
  }
  return true;
}

/// table_of(fold) for each group, below each other, with a first column Node, Zone or Tier unless
/// the table has it. Empty rows are left out. Without groups, the table itself.
template <class Fold, class TableOf>
Table split_table(const FrameSplit<Fold>& split, TableOf table_of) {
  if (!split.is_split()) return table_of(split.front());
  Table all;
  const std::string title(split.groups().title());
  for (std::size_t group = 0; group < split.size(); ++group) {
    Table part = table_of(split[group]);
    const std::string name = split.groups().name(group);
    std::erase_if(part.rows, [&](const auto& row) { return is_empty(row, part.head.columns); });
    const bool has_column = part.head.columns.front().title == title;
    if (!has_column) {
      part.head.columns.insert(part.head.columns.begin(), {title, Column::Kind::kText});
      for (auto& row : part.rows) row.insert(row.begin(), name);
    }
    for (auto& row : part.rows) all.rows.push_back(std::move(row));
    for (const std::string& note : part.notes)
      all.notes.push_back(fmt::format("{} {}: {}", title, name, note));
    all.head = std::move(part.head);
  }
  return all;
}

/// "Ledger"; "Ledger of node 0", if only that is selected; "Ledger, Zone Normal", of a group.
template <class Fold>
std::string subject(std::string what, const FrameSplit<Fold>& split, std::size_t group) {
  const RamGroups& groups = split.groups();
  if (const std::string selected = groups.selected(); !selected.empty()) what += " of " + selected;
  if (split.is_split()) what += ", " + std::string(groups.word()) + " " + groups.name(group);
  return what;
}

/// The same for the title of a picture.
template <class Picture, class Fold>
Picture titled(Picture picture, const FrameSplit<Fold>& split, std::size_t group) {
  picture.title = subject(std::move(picture.title), split, group);
  return picture;
}

}  // namespace physmem
