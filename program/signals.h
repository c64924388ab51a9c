// SPDX-License-Identifier: MIT
// Signals that end a program, handled when its output is complete.
#pragma once

#include <csignal>

namespace physmem {

enum class SecondSignal {
  kIsRemembered,  ///< like the first one
  kEndsProgram,   ///< at once, because the end after the first one may take long
};

/// Ignores SIGPIPE and SIGXFSZ, so that write() fails with EPIPE if the reader has closed the pipe,
/// and with EFBIG at the file-size limit. Every program calls it before it writes.
void ignore_output_signals();

/// Makes SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 set a flag, so that the program can
/// remove its unfinished file, or restore the terminal, before it ends. Blocking calls return
/// EINTR. A signal that was ignored stays ignored (nohup). Calls ignore_output_signals().
void catch_signals(SecondSignal second = SecondSignal::kIsRemembered);

/// The signals that catch_signals() handles.
sigset_t caught_signals();

/// Whether one of them has arrived. Thread-safe.
bool interrupted();

/// Blocks these signals and SIGWINCH in this thread while the object exists, and in threads started
/// in that time for all their life. So a signal wakes the thread that waits for the output or for
/// keys, not a worker. The kernel gives a signal to any thread that does not block it.
class SignalsElsewhere {
 public:
  SignalsElsewhere();
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;
  ~SignalsElsewhere();

 private:
  sigset_t before_;
};

/// Ends the program by the signal that has arrived, as if it had not been caught. Returns if none
/// has.
void die_of_signal();

}  // namespace physmem
