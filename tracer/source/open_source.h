// SPDX-License-Identifier: MIT
// The events of the source of records that this machine has.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tracer/source/event_source.h"

namespace physmem {

/// kmod, bpf or auto, as open_records() has them.
Result<std::unique_ptr<EventSource>> open_event_source(std::string_view name);

}  // namespace physmem
