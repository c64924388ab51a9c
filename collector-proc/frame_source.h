// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// /proc/kpagecount and /proc/kpageflags, and whether they are usable. Without CAP_SYS_ADMIN the
/// kernel shows frame 0 in pagemap for every page, even of the reader itself.
struct FrameFiles {
  UniqueFd kpagecount;
  UniqueFd kpageflags;
  bool are_visible = false;
  /// /proc has no such files: the kernel lacks CONFIG_PROC_PAGE_MONITOR, or it shows only
  /// processes.
  bool are_missing = false;
  /// False if kpageflags marks every anonymous page as merged, including a page of this process's
  /// stack: Linux 6.10 to at least 6.12, since commit dee3d0bef2b0 ("proc: rewrite
  /// stable_page_flags()").
  bool is_ksm_flag_valid = true;
};

FrameFiles open_frame_files(const ProcTree& tree, std::uint64_t page_size);

}  // namespace physmem::collect
