// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

namespace physmem {

/// A condition variable that counts its waiting threads. So a test can wait until a thread is
/// blocked, instead of sleeping for a guessed time. Call all members except notify_all() with the
/// lock held.
class WaitPoint {
 public:
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, Condition condition) {
    if (condition()) return;
    const Waiting waiting(*this);
    changed_.wait(lock, std::move(condition));
  }
  /// Waits until the condition holds, or for `timeout`. True if it holds.
  template <class Condition>
  bool wait_for(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds timeout,
                Condition condition) {
    if (condition()) return true;
    const Waiting waiting(*this);
    return changed_.wait_for(lock, timeout, std::move(condition));
  }
  void notify_all() { changed_.notify_all(); }

  /// Waits until at least `threads` threads wait, each after it found its condition false.
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
