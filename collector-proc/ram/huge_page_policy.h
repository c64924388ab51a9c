// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// Reads the rules for transparent huge pages from a /sys tree: counters thp.*, as numbers
/// (formats/physmem-records.md). Empty on a kernel without them.
std::vector<Counter> read_huge_page_policy(int sys);

/// The chosen word of "always [madvise] never". Empty if there is none.
std::string_view chosen_word(std::string_view text);

}  // namespace physmem::collect
