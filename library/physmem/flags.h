// SPDX-License-Identifier: MIT
// Bits of AreaRow::flags and of the flags of pages. The flags of pages are the kernel's
// (include/uapi/linux/kernel-page-flags.h). Files of version 1 have other flags.
#pragma once

#include <cstdint>

namespace physmem {

namespace area_flag {
inline constexpr std::uint64_t kRead = 0x1;
inline constexpr std::uint64_t kWrite = 0x2;
inline constexpr std::uint64_t kExecute = 0x4;
inline constexpr std::uint64_t kShared = 0x8;
inline constexpr std::uint64_t kGrowsDown = 0x100;  ///< a stack
inline constexpr std::uint64_t kProgram = 0x1000;   ///< maps the program file itself
inline constexpr std::uint64_t kBss = 0x2000'0000;  ///< data segment without a file
}  // namespace area_flag

namespace page_flag {
inline constexpr std::uint64_t kLocked = 1U << 0;
inline constexpr std::uint64_t kError = 1U << 1;
inline constexpr std::uint64_t kReferenced = 1U << 2;
inline constexpr std::uint64_t kUpToDate = 1U << 3;
inline constexpr std::uint64_t kDirty = 1U << 4;
inline constexpr std::uint64_t kLru = 1U << 5;
inline constexpr std::uint64_t kActive = 1U << 6;
inline constexpr std::uint64_t kSlab = 1U << 7;
inline constexpr std::uint64_t kWriteback = 1U << 8;
inline constexpr std::uint64_t kReclaim = 1U << 9;
inline constexpr std::uint64_t kBuddy = 1U << 10;
inline constexpr std::uint64_t kMapped = 1U << 11;
inline constexpr std::uint64_t kAnonymous = 1U << 12;
inline constexpr std::uint64_t kSwapCache = 1U << 13;
inline constexpr std::uint64_t kSwapBacked = 1U << 14;
inline constexpr std::uint64_t kCompoundHead = 1U << 15;
inline constexpr std::uint64_t kCompoundTail = 1U << 16;
inline constexpr std::uint64_t kHugetlb = 1U << 17;
inline constexpr std::uint64_t kUnevictable = 1U << 18;
inline constexpr std::uint64_t kHardwarePoison = 1U << 19;
inline constexpr std::uint64_t kNoPage = 1U << 20;  ///< no struct page: device memory
inline constexpr std::uint64_t kKsm = 1U << 21;
inline constexpr std::uint64_t kTransparentHuge = 1U << 22;
inline constexpr std::uint64_t kOffline = 1U << 23;
inline constexpr std::uint64_t kZeroPage = 1U << 24;
inline constexpr std::uint64_t kIdle = 1U << 25;
inline constexpr std::uint64_t kPageTable = 1U << 26;
}  // namespace page_flag

}  // namespace physmem
