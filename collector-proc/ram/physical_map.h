// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// Consecutive frames of one kind. Frames before, between and after spans are holes.
struct FrameSpan {
  enum class Kind {
    kRam,
    kKernelCode,  // of the kernel's image; frames that the kernel has freed are ordinary RAM
    kKernelData,
    kCrashKernel,
    kOffline,  // a memory block that is offline
  };
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  Kind kind = Kind::kRam;
  friend bool operator==(const FrameSpan&, const FrameSpan&) = default;
};

/// Parses /proc/iomem: "System RAM" and the parts of the kernel in it. Frames that are only partly
/// RAM are left out. Spans ascend and do not overlap. Empty if the kernel hides the addresses.
std::vector<FrameSpan> parse_iomem(std::string_view text, std::uint64_t page_size);

/// Marks [begin, end) as offline where the map has RAM.
void mark_offline(std::vector<FrameSpan>& map, std::uint64_t begin, std::uint64_t end);

/// Marks the memory blocks of `sys`/devices/system/memory that are offline. Returns false if the
/// folder cannot be read: the kernel has no memory hotplug, or /sys is not mounted.
bool mark_offline_blocks(std::vector<FrameSpan>& map, int sys, std::uint64_t page_size);

std::uint64_t frames_of(const std::vector<FrameSpan>& map);

}  // namespace physmem::collect
