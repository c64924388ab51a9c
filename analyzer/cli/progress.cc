// SPDX-License-Identifier: MIT
#include "analyzer/cli/progress.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <ostream>

namespace physmem {

using namespace std::chrono_literals;

Progress::Progress(ByteSource& inner, const std::string& name, std::ostream& messages)
    : inner_(inner),
      name_(name),
      messages_(messages),
      is_wanted_(isatty(STDERR_FILENO) == 1),
      begin_(Clock::now()),
      next_(begin_ + 1s) {}

Progress::~Progress() {
  if (was_shown_) messages_ << "\r\033[K";
}

Result<std::size_t> Progress::read(char* to, std::size_t size) {
  auto n = inner_.read(to, size);
  if (n) count(bytes_ + *n);
  return n;
}

void Progress::let_go(std::uint64_t offset) {
  count(offset);
  inner_.let_go(offset);
}

void Progress::count(std::uint64_t bytes) {
  bytes_ = bytes;
  if (!is_wanted_) return;
  if (const auto now = Clock::now(); now >= next_) show(now);
}

void Progress::show(Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double mib = static_cast<double>(bytes_) / (1 << 20);
  fmt::print(messages_, "\r{}: {:.0f} MiB read, {:.0f} MiB/s ", name_, mib, mib / seconds);
  messages_.flush();
  next_ = now + 200ms;
  was_shown_ = true;
}

}  // namespace physmem
