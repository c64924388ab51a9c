// SPDX-License-Identifier: MIT
#include "analyzer/parse/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "analyzer/parse/mapped_file.h"

namespace physmem {

Window::Window(ByteSource& source, std::string name, Options options)
    : source_(source), name_(std::move(name)), options_(options) {}

void Window::next_line() {
  ++begin_;
  newline_ = nullptr;
  ++line_;
  line_start_ = offset_of(begin_);
  predecoded_bytes_ = 0;
}

/// Called at the first byte. False if the source must be read.
bool Window::map() {
  whole_ = source_.text();
  if (whole_.data() == nullptr) return false;
  base_ = begin_ = whole_.data();
  end_ = base_ + whole_.size();
  source_ended_ = true;
  release();
  return true;
}

void Window::release() {
  const std::uint64_t lag =
      is_read_ahead_ ? std::min<std::uint64_t>(kReleaseInterval, offset()) : 0;
  source_.release(offset() - lag);
  release_at_ = offset() + kReleaseInterval;
  if (!is_read_ahead_) prefault(text().substr(0, kReleaseInterval));
}

/// Moves the text to the front of a buffer with room. An input that does not fit the first buffer
/// gets a full-size one.
void Window::move_to_front() {
  const std::size_t kept = text().size();
  std::unique_ptr<char[]> old;
  const bool is_full = buffer_ && end_ == buffer_.get() + kMargin + capacity_;
  if (!buffer_ || (is_full && capacity_ < kSize)) {
    capacity_ = buffer_ ? kSize : kFirst;
    old = std::exchange(buffer_, std::unique_ptr<char[]>(new char[kMargin + capacity_ + kMargin]));
    // The scanner may use the margin before the text. It loads the margin after it without using
    // it.
    std::memset(buffer_.get(), ' ', kMargin);
  }
  char* const front = buffer_.get() + kMargin;
  if (begin_ == front) return;
  base_offset_ = offset();
  if (kept != 0) std::memmove(front, begin_, kept);
  base_ = begin_ = front;
  end_ = front + kept;
}

Result<bool> Window::fill() {
  if (source_ended_ || text().size() >= kSize) return false;
  if (!buffer_ && options_.may_map && map()) return !whole_.empty();
  newline_ = nullptr;
  move_to_front();
  char* const end = buffer_.get() + kMargin + text().size();
  const auto n = source_.read(end, capacity_ - text().size());
  if (!n && options_.tolerant && n.error().kind == Error::Kind::kBadInput) {
    damage_ = n.error().text;
    source_ended_ = true;
    return false;
  }
  if (!n) {
    Error error = n.error();
    // A decoder does not know the place; the text before the damage has been read up to here.
    if (error.kind == Error::Kind::kBadInput) error.line = line_, error.column = 1;
    return error;
  }
  end_ += *n;
  source_ended_ = *n == 0;
  return *n != 0;
}

Result<std::string_view> Window::peek_line(std::string_view too_long) {
  std::size_t searched = 0;
  while (true) {
    const std::size_t newline = text().substr(0, kSize).find('\n', searched);
    if (newline != std::string_view::npos) {
      newline_ = begin_ + newline;
      return text().substr(0, newline);
    }
    searched = std::min(text().size(), kSize);
    const auto more = fill();
    if (!more) return more.error();
    if (*more) continue;
    if (!at_end() || text().size() > kSize)
      return Error{
          Error::Kind::kBadInput,
          fmt::format("{}:{}:1: the line is longer than {} bytes{}", name_, line_, kSize, too_long),
          line_, 1};
    return text();
  }
}

Status Window::skip_line() {
  while (true) {
    const std::size_t newline =
        newline_ != nullptr ? static_cast<std::size_t>(newline_ - begin_) : text().find('\n');
    advance(newline == std::string_view::npos ? text().size() : newline);
    if (newline != std::string_view::npos) {
      next_line();
      return {};
    }
    const auto more = fill();
    if (!more) return more.error();
    if (!*more) return {};
  }
}

}  // namespace physmem
