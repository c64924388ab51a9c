// SPDX-License-Identifier: MIT
#include "tracer/record/stop_signal.h"

#include <csignal>

namespace physmem::record {
namespace {

volatile std::sig_atomic_t stopped = 0;

void stop(int /*signal*/) {
  stopped = 1;
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action = {};
  action.sa_handler = stop;  // without SA_RESTART: poll() comes back
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool is_stopped() {
  return stopped != 0;
}

}  // namespace physmem::record
