// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/errors.h"
#include "program/wait_point.h"

namespace physmem::collect {

/// Numbered texts that several threads write in parallel and one thread takes, in the order of
/// their numbers.
///
/// At most `limit` bytes wait to be taken, plus one piece of the text whose turn it is. Writers of
/// later texts wait for room. The writer whose turn it is waits only while a piece of its text can
/// be taken, so there is no deadlock.
class ReorderBuffer {
 public:
  ReorderBuffer(std::size_t texts, std::size_t limit) : texts_(texts), limit_(limit) {}

  /// Writes the next piece of a text. Returns 0, or ECANCELED after stop().
  int write(std::size_t number, std::string_view piece);
  /// Ends a text. An error is reported to the taker when it is the turn of the text.
  void end(std::size_t number, Status status);
  /// Ends the taking. Threads that write or wait get ECANCELED.
  void stop();

  /// Waits for the next piece of a text and returns it. Returns nothing at the end of the text;
  /// status() then has its result. Texts must be taken in ascending order.
  std::optional<std::string> take(std::size_t number);
  Status status(std::size_t number) const;
  /// Returns a piece, so that its memory is reused.
  void give_back(std::string piece);

  /// For tests: returns once this many threads wait in write() or take().
  void wait_for_waiters(std::size_t threads) {
    std::unique_lock lock(mutex_);
    changed_.wait_for_waiters(lock, threads);
  }

 private:
  struct Text {
    std::deque<std::string> pieces;
    std::optional<Status> end;
  };

  mutable std::mutex mutex_;
  WaitPoint changed_;
  std::vector<Text> texts_;
  std::size_t limit_;
  std::size_t waiting_ = 0;  // bytes
  std::size_t turn_ = 0;
  bool is_stopped_ = false;
  std::vector<std::string> spare_;
};

}  // namespace physmem::collect
