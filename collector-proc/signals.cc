// SPDX-License-Identifier: MIT
#include "collector-proc/signals.h"

#include <array>
#include <csignal>

namespace physmem::collect {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

void remember(int signal) {
  caught_signal = signal;
}

}  // namespace

void catch_signals() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
  for (const int signal : std::array{SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = remember;
    ::sigaction(signal, &action, nullptr);
  }
}

bool interrupted() {
  return caught_signal != 0;
}

void die_of_signal() {
  if (caught_signal == 0) return;
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

}  // namespace physmem::collect
