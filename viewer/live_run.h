// SPDX-License-Identifier: MIT
// Serves a live or replayed trace to the pages.
#pragma once

#include <memory>

#include "paging/source/event_source.h"
#include "paging/source/file_source.h"
#include "viewer/serve.h"

namespace physmem::view {

Exit show_source(const Serving& serving, OpenPort port, EventSource& source);
Exit show_replay(const Serving& serving, OpenPort port, FileSource& source);

}  // namespace physmem::view
