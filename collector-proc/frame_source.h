// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// /proc/kpagecount and /proc/kpageflags, and whether they are of use: without CAP_SYS_ADMIN the kernel shows
/// frame 0 in pagemap for every page, even of the reader itself.
struct FrameFiles {
  UniqueFd kpagecount;
  UniqueFd kpageflags;
  bool are_visible = false;
};

FrameFiles open_frame_files(const ProcTree& tree, std::uint64_t page_size);

}  // namespace physmem::collect
