// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "formats/emit/trace.h"

namespace physmem {

/// Names of the bits of pm_paging_flag.
inline constexpr auto kPagingFlagWords = std::to_array<std::string_view>(PM_TRACE_FLAG_WORDS);

/// All bits that have a name.
inline constexpr std::uint32_t kPagingFlags = (1u << kPagingFlagWords.size()) - 1;
static_assert(kPagingFlags == 2 * PM_PAGING_FAILED - 1);

/// The names of all set flags, separated by blanks.
inline std::string paging_flag_words(std::uint32_t flags) {
  std::string words;
  for (std::size_t i = 0; i < kPagingFlagWords.size(); ++i) {
    if ((flags >> i & 1) == 0) continue;
    if (!words.empty()) words += ' ';
    words += kPagingFlagWords[i];
  }
  return words;
}

}  // namespace physmem
