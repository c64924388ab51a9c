// SPDX-License-Identifier: MIT
#pragma once

namespace physmem::collect {

/// From now on SIGINT, SIGTERM and SIGHUP only set a flag, so that the unfinished file is removed first;
/// blocking calls return EINTR. A signal that was ignored stays ignored (nohup). SIGPIPE is ignored: writes
/// say EPIPE.
void catch_signals();

/// Whether one of them came.
bool interrupted();

/// Ends the program by the signal that came, as if it had not been caught; returns when none came.
void die_of_signal();

}  // namespace physmem::collect
