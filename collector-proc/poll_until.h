// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>

#include <cstdint>
#include <span>

namespace physmem::collect {

enum class Woken { kDeadline, kSignal, kFile };

/// Sleeps until the monotonic clock says so, one of the signals of system/signals.h comes (or came before), or one
/// of the files has something to tell: its revents say what. A negative descriptor is none.
Woken poll_until(std::uint64_t deadline_ns, std::span<pollfd> files);

}  // namespace physmem::collect
