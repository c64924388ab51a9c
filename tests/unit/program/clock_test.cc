// SPDX-License-Identifier: MIT
// The clock of the kernel. Tests of its users have a manual clock.
#include "program/clock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <utility>

#include "program/signals.h"

namespace physmem {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kNever = ~std::uint64_t{0};

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends), 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  int ends[2] = {-1, -1};
};

/// The exit status of a child process. A caught signal is remembered until the process exits, so
/// each test requires its own process.
int status_of_child(const std::function<int()>& child_does,
                    const std::function<void(pid_t)>& parent_does) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(child_does());
  parent_does(child);
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(SystemClock, IsTheSteadyClockOfTheStandardLibrary) {
  const auto before = std::chrono::steady_clock::now();
  const auto now = system_clock().now();
  EXPECT_LE(before, now);
  EXPECT_LE(now, std::chrono::steady_clock::now());
}

TEST(SystemClock, DoesNotWaitForAPassedDeadline) {
  Pipe pipe;
  pollfd file{pipe.ends[0], POLLIN, 0};
  EXPECT_EQ(system_clock().wait_until(0, {&file, 1}), Woken::kDeadline);
  EXPECT_EQ(system_clock().wait_for(-1s, {}), Woken::kDeadline);
}

TEST(SystemClock, WaitsUntilTheDeadline) {
  const std::uint64_t deadline = system_clock().now_ns() + 1'000'000;
  EXPECT_EQ(system_clock().wait_until(deadline, {}), Woken::kDeadline);
  EXPECT_GE(system_clock().now_ns(), deadline);
}

TEST(SystemClock, EndsAWaitWhenAFileIsReady) {
  Pipe pipe;
  EXPECT_EQ(::write(pipe.ends[1], "x", 1), 1);
  pollfd files[]{{-1, POLLIN, 0}, {pipe.ends[0], POLLIN, 0}};
  EXPECT_EQ(system_clock().wait_until(kNever, files), Woken::kFile);
  EXPECT_EQ(files[0].revents, 0);
  EXPECT_EQ(files[1].revents, POLLIN);
}

TEST(SystemClock, EndsAWaitWhenTheReaderOfAPipeCloses) {
  Pipe pipe;
  ::close(std::exchange(pipe.ends[0], -1));
  pollfd file{pipe.ends[1], 0, 0};
  EXPECT_EQ(system_clock().wait_until(kNever, {&file, 1}), Woken::kFile);
  EXPECT_EQ(file.revents, POLLERR);
}

TEST(SystemClock, DoesNotWaitAfterASignal) {
  const auto waits = [] {
    catch_signals();
    ::raise(SIGTERM);
    return system_clock().wait_until(kNever, {}) == Woken::kSignal ? 0 : 1;
  };
  EXPECT_EQ(status_of_child(waits, [](pid_t) {}), 0);
}

/// The signal arrives shortly before or during the sleep. Both end the wait.
TEST(SystemClock, EndsAWaitByASignalOfAnotherProcess) {
  Pipe ready;
  const auto waits = [&] {
    catch_signals();
    if (::write(ready.ends[1], "x", 1) != 1) return 2;
    return system_clock().wait_until(kNever, {}) == Woken::kSignal ? 0 : 1;
  };
  const auto interrupts = [&](pid_t child) {
    char byte = 0;
    EXPECT_EQ(::read(ready.ends[0], &byte, 1), 1);
    ::kill(child, SIGTERM);
  };
  EXPECT_EQ(status_of_child(waits, interrupts), 0);
}

}  // namespace
}  // namespace physmem
