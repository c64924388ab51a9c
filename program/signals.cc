// SPDX-License-Identifier: MIT
#include "program/signals.h"

#include <array>
#include <atomic>

namespace physmem {
namespace {

std::atomic<int> caught_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a handler may store only what takes no lock");

constexpr std::array kCaught{SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

void remember(int signal) {
  caught_signal.store(signal, std::memory_order_relaxed);
}

/// The handler of all signals until the first has arrived.
void remember_once(int signal) {
  remember(signal);
  for (const int other : kCaught) {
    struct sigaction action {};
    ::sigaction(other, nullptr, &action);
    if (action.sa_handler != remember_once) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(other, &action, nullptr);
  }
}

}  // namespace

void ignore_output_signals() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaction(signal, &ignore, nullptr);
}

void catch_signals(SecondSignal second) {
  ignore_output_signals();
  for (const int signal : kCaught) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = second == SecondSignal::kEndsProgram ? remember_once : remember;
    ::sigaction(signal, &action, nullptr);
  }
}

sigset_t caught_signals() {
  sigset_t caught;
  sigemptyset(&caught);
  for (const int signal : kCaught) sigaddset(&caught, signal);
  return caught;
}

bool interrupted() {
  return caught_signal.load(std::memory_order_relaxed) != 0;
}

SignalsElsewhere::SignalsElsewhere() {
  sigset_t blocked = caught_signals();
  sigaddset(&blocked, SIGWINCH);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

SignalsElsewhere::~SignalsElsewhere() {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void die_of_signal() {
  const int signal = caught_signal.load(std::memory_order_relaxed);
  if (signal == 0) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace physmem
