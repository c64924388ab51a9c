// SPDX-License-Identifier: MIT
// The places of things on the screen, and the columns of the table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "top/model/rows.h"

namespace physmem::top {

inline constexpr std::size_t kSummaryLines = 5;  ///< machine, RAM bar, legend, swap, verdict
inline constexpr std::size_t kHeadingLines = 1;
inline constexpr std::size_t kBottomLines = 3;  ///< total, status, keys
inline constexpr std::size_t kMinWidth = 40;
inline constexpr std::size_t kMinHeight = 12;

struct TableColumn {
  SortKey key = SortKey::kPid;
  bool is_cgroup = false;  ///< has no key
  const char* title = "";
  std::size_t start = 0;  ///< first column on the screen
  std::size_t width = 0;
  bool is_left = false;  ///< aligned
};

/// The columns that fit. With less room the less important ones are missing; the command takes
/// what is left. The last columns are command and, on a wide screen, cgroup.
std::vector<TableColumn> table_columns(std::size_t width, bool is_tree);

/// The title of a column, as in --sort.
const char* title_of(SortKey key);

}  // namespace physmem::top
