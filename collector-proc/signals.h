// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>

#include <cstdint>
#include <span>

namespace physmem::collect {

/// From now on SIGINT, SIGTERM and SIGHUP only set a flag, so that the unfinished file is removed first;
/// blocking calls return EINTR. A signal that was ignored stays ignored (nohup). SIGPIPE is ignored: writes
/// say EPIPE.
void catch_signals();

/// Whether one of them came.
bool interrupted();

enum class Woken { kDeadline, kSignal, kFile };

/// Sleeps until the monotonic clock says so, one of those signals comes (or came before), or one of the files has
/// something to tell: its revents say what. A negative descriptor is none.
Woken poll_until(std::uint64_t deadline_ns, std::span<pollfd> files);

/// Ends the program by the signal that came, as if it had not been caught; returns when none came.
void die_of_signal();

}  // namespace physmem::collect
