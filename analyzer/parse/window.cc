// SPDX-License-Identifier: MIT
#include "analyzer/parse/window.h"

#include <fmt/format.h>

#include <cstring>

namespace physmem {

Window::Window(ByteSource& source, std::string name, bool tolerant)
    : source_(source),
      name_(std::move(name)),
      buffer_(new char[kMargin + kSize + kMargin]),
      begin_(buffer_.get() + kMargin),
      end_(begin_),
      buffer_offset_(0 - std::uint64_t{kMargin}),
      tolerant_(tolerant) {
  // The scanner may look at the margin before the text; behind it, only at what it does not use.
  std::memset(buffer_.get(), ' ', kMargin);
}

void Window::next_line() {
  ++begin_;
  ++line_;
  line_start_ = offset_of(begin_);
}

Result<bool> Window::fill() {
  char* const front = buffer_.get() + kMargin;
  if (begin_ != front) {
    const auto kept = static_cast<std::size_t>(end_ - begin_);
    buffer_offset_ += static_cast<std::uint64_t>(begin_ - front);
    std::memmove(front, begin_, kept);
    begin_ = front;
    end_ = front + kept;
  }
  const auto room = static_cast<std::size_t>(front + kSize - end_);
  if (room == 0 || source_ended_) return false;
  const auto n = source_.read(end_, room);
  if (!n && tolerant_ && n.error().kind == Error::Kind::kBadInput) {
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
    const std::size_t newline = text().find('\n', searched);
    if (newline != std::string_view::npos) return text().substr(0, newline);
    searched = text().size();
    const auto more = fill();
    if (!more) return more.error();
    if (*more) continue;
    if (!at_end())
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
