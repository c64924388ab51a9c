// SPDX-License-Identifier: MIT
// A reorder buffer: threads work in parallel, and their answers are taken in order.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "program/wait_point.h"

namespace physmem {

/// Pieces of work are numbered from 0. A thread claims the next one, puts any number of answers,
/// and finishes it. One other thread takes the answers in the order of the pieces. The buffer is
/// bounded: threads that are too far ahead wait.
template <class Answer>
class OrderedAnswers {
 public:
  static constexpr std::size_t kMaxOfAPiece = 2;  ///< most waiting answers per piece

  enum class Taken {
    kAnswer,
    kNothingYet,
    kNothingMore,  ///< all pieces are finished, or stop() was called
  };

  /// `max_open`: most pieces that are claimed and not completely taken.
  OrderedAnswers(std::size_t pieces, std::size_t max_open) : pieces_(pieces), max_open_(max_open) {}

  /// Returns the number of the next piece, or nothing if there is no more work.
  std::optional<std::size_t> claim() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !has_more() || open_.size() < max_open_; });
    if (!has_more()) return std::nullopt;
    open_.emplace_back();
    return next_++;
  }

  void put(std::size_t piece, Answer answer) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || lane(piece).answers.size() < kMaxOfAPiece; });
    lane(piece).answers.push_back(std::move(answer));
    changed_.notify_all();
  }

  void finish(std::size_t piece) {
    const std::lock_guard lock(mutex_);
    lane(piece).is_finished = true;
    changed_.notify_all();
  }

  /// Waits for at most `timeout`. Sets `to` only if it returns kAnswer.
  Taken take(Answer& to, std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [this] {
      drop_finished();
      return is_over() || (!open_.empty() && !open_.front().answers.empty());
    });
    if (is_over()) return Taken::kNothingMore;
    if (open_.empty() || open_.front().answers.empty()) return Taken::kNothingYet;
    to = std::move(open_.front().answers.front());
    open_.front().answers.pop_front();
    changed_.notify_all();
    return Taken::kAnswer;
  }

  /// After this, no piece can be claimed and put() does not wait. Answers can still be taken.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  bool is_stopped() const {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  /// For tests: returns when `threads` threads wait in claim(), put() or take().
  void wait_for_waiters(std::size_t threads) {
    std::unique_lock lock(mutex_);
    changed_.wait_for_waiters(lock, threads);
  }

 private:
  struct Lane {
    std::deque<Answer> answers = {};
    bool is_finished = false;
  };

  bool has_more() const { return !stopped_ && next_ < pieces_; }
  bool is_over() const { return open_.empty() && !has_more(); }
  Lane& lane(std::size_t piece) { return open_[piece - (next_ - open_.size())]; }

  void drop_finished() {
    while (!open_.empty() && open_.front().is_finished && open_.front().answers.empty()) {
      open_.pop_front();
      changed_.notify_all();
    }
  }

  const std::size_t pieces_;
  const std::size_t max_open_;
  mutable std::mutex mutex_;
  WaitPoint changed_;
  std::size_t next_ = 0;   ///< next piece to claim
  std::deque<Lane> open_;  ///< the last ones claimed, up to next_
  bool stopped_ = false;
};

}  // namespace physmem
