// SPDX-License-Identifier: MIT
// What is printed or drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/shape/shapes.h"

namespace physmem::fleet {

struct Answer {
  std::vector<Table> tables;
  std::vector<BarChart> charts = {};  ///< only for a picture
  std::vector<Series> series = {};    ///< likewise
  std::uint64_t snapshots = 0;        ///< that the answer is about
  std::vector<std::string> notes = {};
  std::vector<std::string> missing = {};  ///< notes on what the answer does not have
};

/// Bars of a picture without --top.
inline constexpr std::size_t kCharted = 30;

}  // namespace physmem::fleet
