// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collector-proc/ram/physical_map.h"
#include "formats/emit/ram.h"

namespace physmem::collect {

/// Bits of /proc/kpageflags from 32 on, which are not part of the kernel's ABI
/// (include/linux/kernel-page-flags.h; the same from 2.6.32 on).
inline constexpr std::uint64_t kReservedFrame = std::uint64_t{1} << 32;

/// How to read the flags of this kernel.
struct FlagRules {
  bool has_zsmalloc = false;  ///< nr_zspages is not 0
  bool has_cgroups = false;   ///< kpagecgroup can be read, so pages of files have a cgroup
};

/// The class of the frames in a span that the allocator never got. Offline ones: all of the span.
pm_ram_class class_of_reserved(FrameSpan::Kind span);

/// The class of a frame of online RAM, by all that /proc shows of it.
///
/// - RESERVED is set for memory that the allocator never got: the kernel's image, boot-time tables.
/// - A frame without any of these flags is `unmarked`: /proc cannot distinguish stacks, vmalloc,
///   drivers, per-CPU lists.
/// - Linux 7.2 shows pages of zsmalloc as up-to-date and nothing else. Pages of files also have a
///   cgroup.
pm_ram_class class_of_frame(std::uint64_t flags, std::uint64_t cgroup, FrameSpan::Kind span,
                            const FlagRules& rules);

}  // namespace physmem::collect
