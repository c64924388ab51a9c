// SPDX-License-Identifier: MIT
// A process that is delayed while its mmap_lock is held. It touches MIB of memory. Then it maps,
// touches and unmaps one more page repeatedly for SECONDS, and prints how long that took: median,
// 99.9th percentile, worst, in microseconds. With "sleep" for MIB it sleeps 0.1 ms instead, and
// prints the wake-up latency, which is the cost of any wait on this machine.
//
// With MIB:GIB the memory is at the beginning of an area of GIB. The process then maps 64 KiB every
// 0.1 ms, and as root it runs before all normal processes, so that it waits for the lock only.
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kPage = 4096;
constexpr std::chrono::microseconds kSleep{100};
constexpr std::size_t kMaxSamples = std::size_t{1} << 23;

char* map(std::size_t bytes) {
  void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? nullptr : static_cast<char*>(start);
}

float since(Clock::time_point begin) {
  return std::chrono::duration<float, std::micro>(Clock::now() - begin).count();
}

float map_and_touch(std::size_t bytes) {
  const auto begin = Clock::now();
  char* const pages = map(bytes);
  if (pages != nullptr) {
    for (std::size_t at = 0; at < bytes; at += kPage) pages[at] = 1;
    ::munmap(pages, bytes);
  }
  return since(begin);
}

float map_a_page() {
  return map_and_touch(kPage);
}

float sleep_and_map() {
  std::this_thread::sleep_for(kSleep);
  return map_and_touch(16 * kPage);
}

float oversleep() {
  const auto begin = Clock::now();
  std::this_thread::sleep_for(kSleep);
  return since(begin + kSleep);
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 3) {
    std::fputs("usage: stall_probe MIB|MIB:GIB|sleep SECONDS\n", stderr);
    return 2;
  }
  char* rest = nullptr;
  // With "sleep" no memory is needed, but mmap() requires at least a byte.
  const std::size_t bytes = std::max<std::size_t>(1, std::strtoull(argv[1], &rest, 10) << 20);
  const bool is_sparse = *rest == ':';
  const std::size_t area = is_sparse ? std::strtoull(rest + 1, nullptr, 10) << 30 : bytes;
  const auto one_round = is_sparse                              ? sleep_and_map
                         : std::string_view(argv[1]) == "sleep" ? oversleep
                                                                : map_a_page;
  char* const memory = map(area);
  std::vector<float> samples(kMaxSamples);
  if (memory == nullptr || area < bytes) return 4;
  ::madvise(memory, area, MADV_NOHUGEPAGE);
  std::memset(memory, 1, bytes);
  const sched_param first{.sched_priority = 1};
  if (is_sparse) (void)::sched_setscheduler(0, SCHED_FIFO, &first);
  std::puts("ready");
  std::fflush(stdout);
  const auto end =
      Clock::now() + std::chrono::milliseconds(std::strtoll(argv[2], nullptr, 10) * 1000);
  std::size_t n = 0;
  while (n < kMaxSamples && Clock::now() < end) samples[n++] = one_round();
  std::sort(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(n));
  std::printf("%.1f %.1f %.1f\n", static_cast<double>(samples[n / 2]),
              static_cast<double>(samples[n * 999 / 1000]), static_cast<double>(samples[n - 1]));
  return 0;
}
