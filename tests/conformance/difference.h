// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace physmem::conformance {

/// Two sides that do not say the same of a place.
struct Difference {
  std::string place;                                  // which process, address and field
  std::string what;                                   // what each side says
  std::optional<std::uint64_t> frame = std::nullopt;  // of a page, where both sides name the same
  bool is_sum_of_pages = false;                       // each side says what the pages below it are
};

/// Sides are looked at one after the other, and the kernel goes on meanwhile: it drains lists, ages
/// pages, other programs map the same files. So only a place that differs in every one of several
/// looks counts. Returns those of the last look, at once when a look finds none.
std::vector<Difference> lasting_differences(const std::function<std::vector<Difference>()>& look);

/// The first 20 of them, a line each, and how many there are.
std::string text_of(const std::vector<Difference>& differences);

}  // namespace physmem::conformance
