// SPDX-License-Identifier: MIT
// One colour per class of frames, for pictures and the page.
#pragma once

#include <array>
#include <cstdint>

#include "analyzer/model/ram.h"

namespace physmem {

/// Red, green and blue in the lower 24 bits, by FrameClass. The kernel is cool, the page cache
/// green, anonymous memory warm, free memory very light. The large classes differ in every kind of
/// colour vision (viewer/web/test/colours.test.mjs).
inline constexpr std::array<std::uint32_t, kFrameClasses> kClassColours{
    0xEEF0F3,  // hole
    0xD6D0D8,  // offline
    0x8792A6,  // reserved
    0x46546E,  // kernel_code
    0x627A9C,  // kernel_data
    0x786478,  // crash_kernel
    0x9AA9C4,  // memmap
    0xE4ECF4,  // free
    0xCBDCEB,  // free_percpu
    0x2A6BD1,  // slab
    0x6F9CE8,  // large_kmalloc
    0x45208F,  // pgtable
    0x35A7DC,  // kernel_stack
    0xA78BEA,  // vmalloc
    0x7A5C9E,  // module
    0x2F7F9E,  // percpu
    0x1B3566,  // kernel
    0x12B5CE,  // page_pool
    0xF2C14E,  // zsmalloc
    0x9C6B4E,  // balloon
    0x1E9E6B,  // file
    0xA6CE39,  // block
    0x0B5D4E,  // shmem
    0xE8742A,  // anon
    0xA83A12,  // hugetlb
    0xD8BE96,  // zero
    0xD0112B,  // poison
    0xB08CAE,  // unmarked
    0xC2459C,  // unknown
};

}  // namespace physmem
