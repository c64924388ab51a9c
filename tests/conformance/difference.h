// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace physmem::conformance {

/// A value that differs between two sources.
struct Difference {
  std::string place;                                  // which process, address and field
  std::string what;                                   // the value of each source
  std::optional<std::uint64_t> frame = std::nullopt;  // of a page, if it is the same in both
  bool is_sum_of_pages = false;                       // each value matches the pages below it
};

/// The sources are read one after the other, and in the meantime the kernel drains lists and ages
/// pages, and other programs map the same files. So only a place that differs in every one of
/// several attempts counts. Returns the differences of the last attempt, and returns early if an
/// attempt finds none.
std::vector<Difference> lasting_differences(const std::function<std::vector<Difference>()>& look);

/// The first 20 differences, one per line, and the number of all.
std::string text_of(const std::vector<Difference>& differences);

}  // namespace physmem::conformance
