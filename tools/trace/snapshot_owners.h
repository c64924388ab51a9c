// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "paging/fold/frame_owner.h"
#include "program/result.h"

namespace physmem::record {

/// Adds to `owners` the anonymous pages of a snapshot that exactly one process has mapped. These
/// can be swapped out.
Status read_owners(const std::string& path, FrameOwner& owners);

}  // namespace physmem::record
