// SPDX-License-Identifier: MIT
// physmem-collect with a clock before and after each pread(), which it uses only for pagemap,
// kpagecount and kpageflags. After its own messages it prints their share of the time in percent,
// and their number.
//
// Both times are taken by the same clock from the beginning to the end of main(), so preemption
// lengthens both in proportion. The cost of the clock is measured first and subtracted. Starting
// and ending the program are not included.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

#include "collector-proc/options.h"
#include "collector-proc/run.h"

namespace {

using Clock = std::chrono::steady_clock;
using Ns = std::chrono::duration<double, std::nano>;

std::uint64_t reads = 0;
Clock::duration in_reads{};

Ns clock_cost() {
  constexpr int kTimes = 20'000;
  const auto begin = Clock::now();
  for (int i = 1; i < kTimes; ++i) (void)Clock::now();
  return Ns(Clock::now() - begin) / kTimes;
}

}  // namespace

// The linker's --wrap=pread replaces every call of pread() by one of __wrap_pread().
extern "C" {
ssize_t __real_pread(int fd, void* into, size_t bytes,
                     off_t at);  // NOLINT(bugprone-reserved-identifier)
ssize_t __wrap_pread(int fd, void* into, size_t bytes,
                     off_t at) {  // NOLINT(bugprone-reserved-identifier)
  const auto begin = Clock::now();
  const ssize_t got = __real_pread(fd, into, bytes, at);
  in_reads += Clock::now() - begin;
  ++reads;
  return got;
}
}

int main(int argc, char* argv[]) {
  using namespace physmem::collect;
  const Ns cost = clock_cost();
  const auto begin = Clock::now();
  const physmem::Result<Options> options = parse_options(argc, argv);
  const physmem::Exit status = options ? run(*options) : report_error(options.error());
  const Ns all = Clock::now() - begin - 2 * cost * static_cast<double>(reads);
  const Ns share = in_reads - cost * static_cast<double>(reads);
  std::fprintf(stderr, "%.1f %llu\n", 100 * share / all, static_cast<unsigned long long>(reads));
  return static_cast<int>(status);
}
