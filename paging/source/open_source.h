// SPDX-License-Identifier: MIT
// Opens the event source that this machine supports.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "paging/source/event_source.h"

namespace physmem {

/// `name` is kmod, bpf or auto, as for open_records().
Result<std::unique_ptr<EventSource>> open_event_source(std::string_view name);

}  // namespace physmem
