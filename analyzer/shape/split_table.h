// SPDX-License-Identifier: MIT
// One table of the tables of several groups of frames.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>

#include "analyzer/analyze/ram_groups.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// table_of(fold) for each group, below each other, with a first column Node, Zone or Tier. Without
/// groups, the table itself.
/// `Split`: a RamSplit or a ProcessSplit.
template <class Split, class TableOf>
Table split_table(const Split& split, TableOf table_of) {
  if (!split.groups().is_split()) return table_of(split.front());
  Table all;
  for (std::size_t group = 0; group < split.folds().size(); ++group) {
    Table part = table_of(split.folds()[group]);
    const std::string name = split.groups().name(group);
    if (group == 0) {
      all.head = std::move(part.head);
      all.head.columns.insert(all.head.columns.begin(),
                              {std::string(split.groups().title()), Column::Kind::kText});
    }
    for (auto& row : part.rows) {
      row.insert(row.begin(), name);
      all.rows.push_back(std::move(row));
    }
    for (const std::string& note : part.notes)
      all.notes.push_back(fmt::format("{} {}: {}", split.groups().title(), name, note));
  }
  return all;
}

/// "Ledger"; "Ledger of node 0", if only that is selected; "Ledger, Zone Normal", of a group.
template <class Split>
std::string subject(std::string what, const Split& split, std::size_t group) {
  const RamGroups& groups = split.groups();
  if (const std::string selected = groups.selected(); !selected.empty()) what += " of " + selected;
  if (groups.is_split()) what += ", " + std::string(groups.word()) + " " + groups.name(group);
  return what;
}

/// The same for the title of a picture.
template <class Picture, class Split>
Picture titled(Picture picture, const Split& split, std::size_t group) {
  picture.title = subject(std::move(picture.title), split, group);
  return picture;
}

}  // namespace physmem
