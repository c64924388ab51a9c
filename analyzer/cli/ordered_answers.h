// SPDX-License-Identifier: MIT
// Work that threads do side by side, with answers that come in its order.
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

/// Pieces of work have numbers from 0. A thread claims the next one, puts any number of answers,
/// and finishes it; one other thread takes the answers, those of piece 0 first. Bounded: whoever is
/// ahead waits.
template <class Answer>
class OrderedAnswers {
 public:
  static constexpr std::size_t kMaxOfAPiece = 2;  ///< answers that wait to be taken

  enum class Taken {
    kAnswer,
    kNothingYet,
    kNothingMore,  ///< all claimed pieces are finished, and none is left to claim
  };

  /// `max_open`: pieces that are claimed and not yet taken whole.
  OrderedAnswers(std::size_t pieces, std::size_t max_open) : pieces_(pieces), max_open_(max_open) {}

  /// Nothing: there is no more to do.
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

  /// Waits for no longer than that. `to` is set with kAnswer only.
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

  /// From now on nothing can be claimed, and nobody waits to put. What was put can still be taken.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  bool is_stopped() const {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }

  /// For tests: returns once so many threads wait in claim(), put() or take().
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
  std::size_t next_ = 0;   ///< piece that nobody has claimed
  std::deque<Lane> open_;  ///< the last ones claimed, up to next_
  bool stopped_ = false;
};

}  // namespace physmem
