// SPDX-License-Identifier: MIT
#include "analyzer/parse/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace physmem {

Window::Window(ByteSource& source, std::string name, Options options)
    : source_(source), name_(std::move(name)), options_(options) {}

void Window::jump(std::uint64_t n) {
  if (n <= text().size()) return advance(static_cast<std::size_t>(n));
  base_offset_ = offset() + n;
  base_ = begin_ = end_;
}

void Window::next_line() {
  ++begin_;
  ++line_;
  line_start_ = offset_of(begin_);
}

void Window::move_to(const char* base, std::size_t size) {
  base_offset_ = offset();
  base_ = begin_ = base;
  end_ = base + size;
}

Result<bool> Window::fill() {
  if (source_ended_ || text().size() >= kSize) return false;
  if (options_.may_map && !buffer_ && look_further()) return !source_ended_;
  return read_further();
}

/// False when there is nothing but read(), from the first byte on.
bool Window::look_further() {
  const std::string_view more = source_.window(offset());
  if (more.data() == nullptr && offset() != 0) source_ended_ = true;  // it worked before
  if (more.data() == nullptr) return source_ended_;
  source_ended_ = more.size() <= text().size();
  move_to(more.data(), more.size());
  return true;
}

Result<bool> Window::read_further() {
  if (!buffer_) {
    buffer_.reset(new char[kMargin + kSize + kMargin]);
    // The scanner may look at the margin before the text; behind it, only at what it does not use.
    std::memset(buffer_.get(), ' ', kMargin);
  }
  char* const front = buffer_.get() + kMargin;
  const std::size_t kept = text().size();
  if (begin_ != front) {
    if (kept != 0) std::memmove(front, begin_, kept);
    move_to(front, kept);
  }
  const auto n = source_.read(front + kept, kSize - kept);
  if (!n && options_.tolerant && n.error().kind == Error::Kind::kBadInput) {
    damage_ = n.error().text;
    source_ended_ = true;
    return false;
  }
  if (!n) return n.error();
  end_ += *n;
  source_ended_ = *n == 0;
  return *n != 0;
}

Result<std::string_view> Window::peek_line(std::string_view too_long) {
  std::size_t searched = 0;
  while (true) {
    const std::size_t newline = text().substr(0, kSize).find('\n', searched);
    if (newline != std::string_view::npos) return text().substr(0, newline);
    searched = std::min(text().size(), kSize);
    const auto more = fill();
    if (!more) return more.error();
    if (*more) continue;
    if (!at_end() || text().size() > kSize)
      return Error{Error::Kind::kBadInput,
                   fmt::format("{}:{}:1: the line is longer than {} bytes{}", name_, line_, kSize, too_long)};
    return text();
  }
}

Status Window::skip_line() {
  while (true) {
    const std::size_t newline = text().find('\n');
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
