// SPDX-License-Identifier: MIT
#include "top/screen/layout.h"

#include <algorithm>
#include <array>

namespace physmem::top {
namespace {

struct Spec {
  SortKey key;
  std::size_t width;
  bool is_left;
  int rank;  ///< columns of higher rank are dropped first
};

constexpr std::array kSpecs{
    Spec{SortKey::kPid, 7, false, 0},    Spec{SortKey::kUser, 8, true, 5},
    Spec{SortKey::kUss, 5, false, 2},    Spec{SortKey::kPss, 5, false, 0},
    Spec{SortKey::kRss, 5, false, 1},    Spec{SortKey::kSwap, 5, false, 3},
    Spec{SortKey::kMinors, 5, false, 7}, Spec{SortKey::kMajors, 5, false, 4},
    Spec{SortKey::kCpu, 5, false, 6},
};
constexpr std::size_t kMinCommand = 16;
constexpr std::size_t kMinTree = 30;      ///< of names of cgroups, which are indented
constexpr std::size_t kWideCommand = 24;  ///< wider ones leave room for the cgroup
constexpr std::size_t kMinCgroup = 20;

std::size_t width_of(int max_rank) {
  std::size_t width = 0;
  for (const Spec& spec : kSpecs)
    if (spec.rank <= max_rank) width += spec.width + 1;
  return width;
}

}  // namespace

const char* title_of(SortKey key) {
  constexpr std::array<const char*, kSortKeys> kTitles{"PID",  "USER",  "USS",   "PSS",  "RSS",
                                                       "SWAP", "MIN/s", "MAJ/s", "CPU%", "COMMAND"};
  return kTitles[static_cast<std::size_t>(key)];
}

std::vector<TableColumn> table_columns(std::size_t width, bool is_tree) {
  int max_rank = 7;
  const std::size_t min_command = is_tree ? kMinTree : kMinCommand;
  while (max_rank > 0 && width_of(max_rank) + min_command > width) --max_rank;
  std::vector<TableColumn> columns;
  std::size_t start = 0;
  const auto add = [&](TableColumn column) {
    column.start = start;
    start += column.width + 1;
    columns.push_back(column);
  };
  for (const Spec& spec : kSpecs)
    if (spec.rank <= max_rank)
      add({spec.key, false, title_of(spec.key), 0, spec.width, spec.is_left});
  std::size_t left = width > start ? width - start : 1;
  const bool has_cgroup = !is_tree && left >= kWideCommand + 1 + kMinCgroup;
  const std::size_t command = has_cgroup ? kWideCommand : left;
  add({SortKey::kCommand, false, title_of(SortKey::kCommand), 0, command, true});
  if (has_cgroup) add({SortKey::kCommand, true, "CGROUP", 0, left - command - 1, true});
  return columns;
}

}  // namespace physmem::top
