// SPDX-License-Identifier: MIT
// Signals that ask a program to end, and are heeded when what it does is whole.
#pragma once

#include <csignal>

namespace physmem {

enum class SecondSignal {
  kIsRemembered,  ///< as the first one
  kEndsProgram,   ///< at once: what the first one ends may take its time
};

/// Makes a reader that has gone (SIGPIPE) and a file above the limit of its size (SIGXFSZ) errors
/// of write(), EPIPE and EFBIG, instead of the end of the program. Every program calls it before it
/// writes.
void ignore_output_signals();

/// From now on SIGINT, SIGTERM and SIGHUP only set a flag, so that the unfinished file is removed
/// first; blocking calls return EINTR. A signal that was ignored stays ignored (nohup). Calls
/// ignore_output_signals().
void catch_signals(SecondSignal second = SecondSignal::kIsRemembered);

/// Those that are caught.
sigset_t caught_signals();

/// Whether one of them came. Any thread may ask.
bool interrupted();

/// While it lives, this thread gets none of them, nor do threads started meanwhile for as long as
/// they live: a signal is to wake who waits for the output, not one of its helpers.
class SignalsElsewhere {
 public:
  SignalsElsewhere();
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;
  ~SignalsElsewhere();

 private:
  sigset_t before_;
};

/// Ends the program by the signal that came, as if it had not been caught; returns when none came.
void die_of_signal();

}  // namespace physmem
