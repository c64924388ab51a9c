// SPDX-License-Identifier: MIT
// What a class of frames is: the only table of classes. The words of R: lines are in
// formats/emit/ram.h; the collectors decide which frame has which class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/model/ram.h"

namespace physmem {

/// What a pageblock is mostly used for.
enum class BlockUse : std::uint8_t {
  kFree,      ///< in the allocator, or on a per-CPU list, which is emptied when needed
  kFile,      ///< page cache of files and block devices
  kShmem,     ///< tmpfs and other shared memory
  kAnon,      ///< anonymous memory, zsmalloc, balloon
  kHuge,      ///< hugetlb
  kSlab,      ///< slab and large kmalloc
  kKernel,    ///< the kernel's other memory: tables, stacks, vmalloc, modules, unknown
  kNotKnown,  ///< unmarked by --ram=proc
  kBoot,      ///< never in the allocator: image, reserved memory
};
inline constexpr std::size_t kBlockUses = 9;

/// A use of RAM by the kernel. It includes the frames of its classes, and the unmarked frames that
/// a total of the ledger explains.
enum class KernelKind : std::uint8_t {
  kSlab,
  kLargeKmalloc,
  kPageTables,
  kStacks,
  kVmalloc,
  kModules,
  kPerCpu,
  kZsmalloc,
  kZswap,  ///< in pools other than zsmalloc
  kNetwork,
  kOther,  ///< tables and pools with a known owner
  kImage,
  kMemmap,
  kReserved,  ///< taken before the page allocator existed
  kCrashKernel,
  kUnknown,
};
inline constexpr std::size_t kKernelKinds = static_cast<std::size_t>(KernelKind::kUnknown) + 1;

struct FrameClassFacts {
  FrameClass use;
  std::string_view title;    ///< for people, in every table, picture and page
  std::string_view meaning;  ///< a few words more
  std::uint32_t colour;      ///< red, green and blue in the lower 24 bits, in every picture
  std::optional<BlockUse> block = {};     ///< nothing: no RAM; unmarked frames: see block_use()
  std::optional<KernelKind> kernel = {};  ///< nothing: not memory of the kernel
  bool can_have_owner = false;            ///< O: line
};

/// All classes, in the order of bars and legends: from anonymous memory over the page cache and the
/// kernel to free memory. The kernel is cool, the page cache green, anonymous memory warm, free
/// memory very light. The colours of large classes differ in every kind of colour vision
/// (viewer/web/test/colours.test.mjs).
// clang-format off
inline constexpr std::array<FrameClassFacts, kFrameClasses> kFrameClassTable{{
    // Class, title, meaning,
    //   colour, block, kernel, can have an owner.
    {PM_RAM_ANON, "anonymous memory", "heaps, stacks and private copies of processes",
     0xE8742A, BlockUse::kAnon},
    {PM_RAM_HUGETLB, "hugetlb", "huge pages of hugetlbfs, in use or free",
     0xA83A12, BlockUse::kHuge},
    {PM_RAM_ZSMALLOC, "zsmalloc", "compressed pages of zram and zswap",
     0xF2C14E, BlockUse::kAnon, KernelKind::kZsmalloc},
    {PM_RAM_SHMEM, "shared memory", "tmpfs and shared anonymous memory",
     0x0B5D4E, BlockUse::kShmem, {}, true},
    {PM_RAM_FILE, "file cache", "page cache of files",
     0x1E9E6B, BlockUse::kFile, {}, true},
    {PM_RAM_BLOCK, "device cache", "page cache of block devices",
     0xA6CE39, BlockUse::kFile, {}, true},
    {PM_RAM_SLAB, "slab caches", "small objects of the kernel",
     0x2A6BD1, BlockUse::kSlab, KernelKind::kSlab, true},
    {PM_RAM_LARGE_KMALLOC, "large kmalloc", "kmalloc() of more than two pages",
     0x6F9CE8, BlockUse::kSlab, KernelKind::kLargeKmalloc, true},
    {PM_RAM_PGTABLE, "page tables", "of processes and of the kernel",
     0x45208F, BlockUse::kKernel, KernelKind::kPageTables},
    {PM_RAM_KERNEL_STACK, "kernel stacks", "of tasks",
     0x35A7DC, BlockUse::kKernel, KernelKind::kStacks, true},
    {PM_RAM_VMALLOC, "vmalloc", "memory of vmalloc()",
     0xA78BEA, BlockUse::kKernel, KernelKind::kVmalloc, true},
    {PM_RAM_MODULE, "modules", "code and data of kernel modules",
     0x7A5C9E, BlockUse::kKernel, KernelKind::kModules, true},
    {PM_RAM_PERCPU, "per-CPU data", "variables that each CPU has",
     0x2F7F9E, BlockUse::kKernel, KernelKind::kPerCpu, true},
    {PM_RAM_PAGE_POOL, "network buffers", "page pools of network drivers",
     0x12B5CE, BlockUse::kKernel, KernelKind::kNetwork},
    {PM_RAM_KERNEL, "tables and pools", "other kernel memory of a known owner",
     0x1B3566, BlockUse::kKernel, KernelKind::kOther, true},
    {PM_RAM_BALLOON, "balloon", "given back to the hypervisor",
     0x9C6B4E, BlockUse::kAnon},
    {PM_RAM_KERNEL_CODE, "kernel code", "code in the kernel's image",
     0x46546E, BlockUse::kBoot, KernelKind::kImage},
    {PM_RAM_KERNEL_DATA, "kernel data", "data in the kernel's image",
     0x627A9C, BlockUse::kBoot, KernelKind::kImage},
    {PM_RAM_CRASH_KERNEL, "crash kernel", "reserved for a crash kernel",
     0x786478, BlockUse::kBoot, KernelKind::kCrashKernel},
    {PM_RAM_MEMMAP, "memory map", "struct page of every frame",
     0x9AA9C4, BlockUse::kBoot, KernelKind::kMemmap},
    {PM_RAM_RESERVED, "reserved at boot", "never given to the page allocator",
     0x8792A6, BlockUse::kBoot, KernelKind::kReserved},
    {PM_RAM_ZERO, "zero pages", "mapped wherever a process only read",
     0xD8BE96, BlockUse::kKernel},
    {PM_RAM_POISON, "poisoned", "broken memory, taken out of use",
     0xD0112B, BlockUse::kBoot},
    {PM_RAM_UNMARKED, "unmarked", "not distinguished by this way of collecting",
     0xB08CAE, BlockUse::kNotKnown, KernelKind::kUnknown},
    {PM_RAM_UNKNOWN, "unknown", "none of the known classes",
     0xC2459C, BlockUse::kKernel, KernelKind::kUnknown},
    {PM_RAM_FREE_PERCPU, "free, on CPU lists", "freed pages that a CPU keeps at hand",
     0xCBDCEB, BlockUse::kFree},
    {PM_RAM_FREE, "free", "blocks of the page allocator",
     0xE4ECF4, BlockUse::kFree},
    {PM_RAM_OFFLINE, "offline", "memory that was switched off",
     0xD6D0D8},
    {PM_RAM_HOLE, "no RAM", "addresses without memory",
     0xEEF0F3},
}};
// clang-format on

/// For each class, its index in the table.
inline constexpr std::array<std::size_t, kFrameClasses> kFrameClassIndex = [] {
  std::array<std::size_t, kFrameClasses> index{};
  for (std::size_t i = 0; i < kFrameClassTable.size(); ++i) index[kFrameClassTable[i].use] = i;
  return index;
}();

constexpr const FrameClassFacts& facts_of(FrameClass use) {
  return kFrameClassTable[kFrameClassIndex[use]];
}

static_assert(
    [] {
      for (std::size_t use = 0; use < kFrameClasses; ++use)
        if (facts_of(static_cast<FrameClass>(use)).use != use) return false;
      return true;
    }(),
    "each class is in the table once");

constexpr bool is_ram(FrameClass use) {
  return facts_of(use).block.has_value();
}

/// Its word in R: lines, and in reports for programs.
constexpr std::string_view word_of(FrameClass use) {
  return kFrameClassWords[use];
}

}  // namespace physmem
