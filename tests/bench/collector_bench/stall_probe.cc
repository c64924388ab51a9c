// SPDX-License-Identifier: MIT
// A process that feels it when somebody holds its mmap_lock: with MIB of memory touched, it maps, touches and
// unmaps one more page again and again for SECONDS, and prints how long that took: median, 99.9th percentile,
// worst, in microseconds.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMaxSamples = std::size_t{1} << 23;

char* map(std::size_t bytes) {
  void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return start == MAP_FAILED ? nullptr : static_cast<char*>(start);
}

float one_round() {
  const auto begin = Clock::now();
  char* const page = map(kPage);
  if (page != nullptr) {
    *page = 1;
    ::munmap(page, kPage);
  }
  return std::chrono::duration<float, std::micro>(Clock::now() - begin).count();
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 3) {
    std::fputs("usage: stall_probe MIB SECONDS\n", stderr);
    return 2;
  }
  const std::size_t bytes = std::strtoull(argv[1], nullptr, 10) << 20;
  char* const memory = map(bytes);
  std::vector<float> samples(kMaxSamples);
  if (memory == nullptr) return 4;
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  std::memset(memory, 1, bytes);
  std::puts("ready");
  std::fflush(stdout);
  const auto end = Clock::now() + std::chrono::milliseconds(std::strtoll(argv[2], nullptr, 10) * 1000);
  std::size_t n = 0;
  while (n < kMaxSamples && Clock::now() < end) samples[n++] = one_round();
  std::sort(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(n));
  std::printf("%.1f %.1f %.1f\n", static_cast<double>(samples[n / 2]),
              static_cast<double>(samples[n * 999 / 1000]), static_cast<double>(samples[n - 1]));
  return 0;
}
