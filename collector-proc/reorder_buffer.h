// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/result.h"
#include "program/wait_point.h"

namespace physmem::collect {

/// Numbered texts that several threads write side by side and one takes, in the order of their
/// numbers.
///
/// At most `most` bytes wait to be taken, and one piece of the text whose turn it is: who is
/// further ahead waits. The turn's own writer waits only while a piece of its text is there to be
/// taken, so somebody can always go on.
class ReorderBuffer {
 public:
  ReorderBuffer(std::size_t texts, std::size_t most) : texts_(texts), most_(most) {}

  /// The next piece of a text: 0, or ECANCELED when nobody will take it.
  int write(std::size_t number, std::string_view piece);
  /// No more of it will come. Of an error the taker is told when the turn comes to it.
  void end(std::size_t number, Status status);
  /// Nothing more is taken: who writes or waits gets ECANCELED.
  void stop();

  /// The next piece of a text; waits for it. Nothing when there is no more, then status() says how
  /// it ended. The numbers are asked for in ascending order.
  std::optional<std::string> take(std::size_t number);
  Status status(std::size_t number) const;
  /// A piece that is done with: its memory is used again.
  void give_back(std::string piece);

  /// For tests: returns once so many threads wait in write() or take().
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
  std::size_t most_;
  std::size_t waiting_ = 0;  // bytes
  std::size_t turn_ = 0;
  bool is_stopped_ = false;
  std::vector<std::string> spare_;
};

}  // namespace physmem::collect
