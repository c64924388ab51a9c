// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

namespace physmem {

/// A condition variable that knows how many threads wait for it. A test can so wait until a thread
/// is blocked, where it would otherwise have to sleep and hope. All members but notify_all() are
/// called with the lock held.
class WaitPoint {
 public:
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, Condition condition) {
    if (condition()) return;
    const Waiting waiting(*this);
    changed_.wait(lock, std::move(condition));
  }
  /// Returns when the condition holds, or after `timeout`. Whether it holds.
  template <class Condition>
  bool wait_for(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds timeout,
                Condition condition) {
    if (condition()) return true;
    const Waiting waiting(*this);
    return changed_.wait_for(lock, timeout, std::move(condition));
  }
  void notify_all() { changed_.notify_all(); }

  /// Returns once so many threads or more are in a wait: each found that its condition does not
  /// hold.
  void wait_for_waiters(std::unique_lock<std::mutex>& lock, std::size_t threads) {
    began_.wait(lock, [&] { return waiting_ >= threads; });
  }

 private:
  /// Counts a thread while it waits.
  class Waiting {
   public:
    explicit Waiting(WaitPoint& point) : point_(point) {
      ++point_.waiting_;
      point_.began_.notify_all();
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() { --point_.waiting_; }

   private:
    WaitPoint& point_;
  };

  std::condition_variable changed_;
  std::condition_variable began_;
  std::size_t waiting_ = 0;
};

}  // namespace physmem
