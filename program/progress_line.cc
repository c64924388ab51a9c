// SPDX-License-Identifier: MIT
#include "program/progress_line.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "program/printable.h"

namespace physmem {
namespace {

/// Whether standard error is a terminal that erases a line by ESC [ K.
bool can_erase_line() {
  const char* const type = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && type != nullptr && *type != '\0' &&
         std::string_view(type) != "dumb";
}

}  // namespace

ProgressLine::ProgressLine(bool is_wanted, Milliseconds delay, Milliseconds interval)
    : is_wanted_(is_wanted && can_erase_line()),
      interval_(interval),
      begin_(Clock::now()),
      next_(begin_ + delay) {}

bool ProgressLine::is_due() const {
  return is_wanted_ && Clock::now() >= next_;
}

void ProgressLine::show(const std::string& text) {
  if (!is_wanted_) return;
  std::fputs(("\r" + for_terminal(text) + "\033[K").c_str(), stderr);  // not buffered
  next_ = Clock::now() + interval_;
  is_shown_ = true;
}

void ProgressLine::clear() {
  if (std::exchange(is_shown_, false)) std::fputs("\r\033[K", stderr);
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

}  // namespace physmem
