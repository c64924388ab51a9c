// SPDX-License-Identifier: MIT
#include "collector-proc/reorder_buffer.h"

#include <cerrno>
#include <utility>

namespace physmem::collect {

int ReorderBuffer::write(std::size_t number, std::string_view piece) {
  std::string copy;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      const bool has_turn = number == turn_ && texts_[number].pieces.empty();
      return is_stopped_ || has_turn || waiting_ + piece.size() <= limit_;
    });
    if (is_stopped_) return ECANCELED;
    waiting_ += piece.size();
    if (!spare_.empty()) {
      copy = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  copy.assign(piece);
  {
    const std::lock_guard lock(mutex_);
    texts_[number].pieces.push_back(std::move(copy));
  }
  changed_.notify_all();
  return 0;
}

void ReorderBuffer::end(std::size_t number, Status status) {
  {
    const std::lock_guard lock(mutex_);
    texts_[number].end = std::move(status);
  }
  changed_.notify_all();
}

void ReorderBuffer::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
}

std::optional<std::string> ReorderBuffer::take(std::size_t number) {
  std::optional<std::string> piece;
  {
    std::unique_lock lock(mutex_);
    if (turn_ != number) {
      turn_ = number;
      changed_.notify_all();
    }
    Text& text = texts_[number];
    changed_.wait(lock, [&] { return is_stopped_ || !text.pieces.empty() || text.end; });
    if (is_stopped_ || text.pieces.empty()) return std::nullopt;
    piece = std::move(text.pieces.front());
    text.pieces.pop_front();
    waiting_ -= piece->size();
  }
  changed_.notify_all();
  return piece;
}

Status ReorderBuffer::status(std::size_t number) const {
  const std::lock_guard lock(mutex_);
  const std::optional<Status>& end = texts_[number].end;
  return end ? *end : silent_error();
}

void ReorderBuffer::give_back(std::string piece) {
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(piece));
}

}  // namespace physmem::collect
