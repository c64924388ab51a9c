// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace physmem {

/// Names of the bits of pm_paging_flag, as formats/emit/trace.c writes them.
inline constexpr std::array<std::string_view, 13> kPagingFlagWords{
    "io",   "readahead", "hit",    "zswap",  "zram", "major", "retry",
    "zero", "nofault",   "shared", "mapped", "kept", "failed"};

/// All bits that have a name.
inline constexpr std::uint32_t kPagingFlags = (1u << kPagingFlagWords.size()) - 1;

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
