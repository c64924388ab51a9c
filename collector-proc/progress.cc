// SPDX-License-Identifier: MIT
#include "collector-proc/progress.h"

#include "program/duration.h"

namespace physmem::collect {
Progress::Progress(bool is_wanted)
    : line_(is_wanted, std::chrono::milliseconds(0), std::chrono::milliseconds(100)) {}

void Progress::begin_snapshot(std::uint64_t n, std::uint64_t count) {
  if (!line_.is_wanted() || count == 1) return;
  snapshot_ =
      "snapshot " + std::to_string(n) + (count != 0 ? " of " + std::to_string(count) : "") + ", ";
}

void Progress::at(std::size_t process, std::size_t processes) {
  if (line_.is_due())
    show(snapshot_ + "process " + std::to_string(process) + " of " + std::to_string(processes));
}

std::uint64_t Progress::waiting(std::uint64_t left_ns) {
  if (!line_.is_wanted()) return left_ns;
  const std::uint64_t seconds = (left_ns + kSecondNs - 1) / kSecondNs;
  show(snapshot_ + "next in " + std::to_string(seconds) + " s");
  return left_ns - (seconds - 1) * kSecondNs;
}

void Progress::show(const std::string& text) {
  line_.show("physmem-collect: " + text);
}

}  // namespace physmem::collect
