// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analyzer/analyze/frame_owner.h"
#include "analyzer/model/result.h"

namespace physmem::record {

/// Tells `owners` whose the anonymous pages of a snapshot are that one process alone has mapped: those can be swapped out.
Status see_snapshot(const std::string& path, FrameOwner& owners);

}  // namespace physmem::record
