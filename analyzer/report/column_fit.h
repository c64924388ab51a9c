// SPDX-License-Identifier: MIT
// Text tables on a terminal that is too narrow for them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/shape/shapes.h"

namespace physmem {

struct ColumnFit {
  std::vector<std::size_t> widths;
  std::vector<bool> is_shown;
};

/// `widths`: of the longest cells. First leaves out idle columns; then shortens names, and long
/// texts to kEasyText; then leaves out the columns that the table can spare; then shortens all
/// texts to kMinText. If that is not enough, leaves out further columns from the right, texts last.
/// 0 columns: any number.
ColumnFit fit_columns(const TableHead& head, const std::vector<std::size_t>& widths,
                      std::size_t columns);

inline constexpr std::size_t kEasyText = 24;
inline constexpr std::size_t kMinText = 8;

/// "left out: Minor/s, L ms (terminal too narrow)". Empty if no column is left out.
std::string left_out_note(const TableHead& head, const ColumnFit& fit);

}  // namespace physmem
