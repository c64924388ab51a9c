// SPDX-License-Identifier: MIT
#include "collector-proc/progress.h"

#include <unistd.h>

#include <cstdio>

#include "collector-proc/machine.h"

namespace physmem::collect {
namespace {

constexpr std::uint64_t kInterval = 100'000'000;  // ns

}  // namespace

Progress::Progress(bool is_wanted) : is_on_(is_wanted && ::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (is_on_ && next_ns_ != 0) std::fputs("\r\033[K", stderr);
}

void Progress::at(std::size_t process, std::size_t processes) {
  if (!is_on_) return;
  const std::uint64_t now = uptime_ns();
  if (now < next_ns_) return;
  next_ns_ = now + kInterval;
  std::fprintf(stderr, "\rphysmem-collect: process %zu of %zu\033[K", process, processes);
}

}  // namespace physmem::collect
