// SPDX-License-Identifier: MIT
#pragma once

namespace physmem::record {

/// From now on SIGINT and SIGTERM end the recording, not the program.
void catch_stop_signals();
bool is_stopped();

}  // namespace physmem::record
