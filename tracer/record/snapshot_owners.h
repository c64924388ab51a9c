// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "paging/fold/frame_owner.h"
#include "program/result.h"

namespace physmem::record {

/// Tells `owners` whose the anonymous pages of a snapshot are that one process alone has mapped:
/// those can be swapped out.
Status read_owners(const std::string& path, FrameOwner& owners);

}  // namespace physmem::record
