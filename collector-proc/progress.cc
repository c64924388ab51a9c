// SPDX-License-Identifier: MIT
#include "collector-proc/progress.h"

#include <unistd.h>

#include <cstdio>

#include "collector-proc/duration.h"
#include "collector-proc/machine.h"

namespace physmem::collect {
namespace {

constexpr std::uint64_t kInterval = 100'000'000;  // ns

}  // namespace

Progress::Progress(bool is_wanted) : is_on_(is_wanted && ::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (is_on_ && next_ns_ != 0) std::fputs("\r\033[K", stderr);
}

void Progress::begin_snapshot(std::uint64_t n, std::uint64_t count) {
  if (!is_on_ || count == 1) return;
  snapshot_ =
      "snapshot " + std::to_string(n) + (count != 0 ? " of " + std::to_string(count) : "") + ", ";
}

void Progress::at(std::size_t process, std::size_t processes) {
  if (!is_on_) return;
  const std::uint64_t now = uptime_ns();
  if (now < next_ns_) return;
  next_ns_ = now + kInterval;
  show(snapshot_ + "process " + std::to_string(process) + " of " + std::to_string(processes));
}

std::uint64_t Progress::waiting(std::uint64_t left_ns) {
  if (!is_on_) return left_ns;
  next_ns_ = uptime_ns() + kInterval;
  const std::uint64_t seconds = (left_ns + kSecondNs - 1) / kSecondNs;
  show(snapshot_ + "next in " + std::to_string(seconds) + " s");
  return left_ns - (seconds - 1) * kSecondNs;
}

void Progress::show(const std::string& text) {
  std::fprintf(stderr, "\rphysmem-collect: %s\033[K", text.c_str());
}

}  // namespace physmem::collect
