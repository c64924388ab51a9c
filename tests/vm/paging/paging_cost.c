// SPDX-License-Identifier: MIT
/*
 * Prints nanoseconds per page that is swapped out, per page that is swapped in by a fault, and per
 * fault without swap: the best of some rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

/* With this many pages one more timer interrupt adds 10 ns per page. */
enum { kPages = 4096, kRounds = 6 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static void least(int64_t *best, int64_t began) {
  int64_t took = (now() - began) / kPages;
  if (*best == 0 || took < *best) *best = took;
}

int main(void) {
  const size_t step = sysconf(_SC_PAGESIZE);
  int64_t out = 0, in = 0, fault = 0;
  mlockall(MCL_CURRENT);
  char *pages =
      mmap(NULL, kPages * step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return perror("mmap"), 4;
  madvise(pages, kPages * step, MADV_NOHUGEPAGE);
  for (int round = 0; round < kRounds; round++) {
    int64_t began = now();
    for (size_t i = 0; i < kPages; i++) ((volatile char *)pages)[i * step] = 1;
    least(&fault, began);
    for (size_t i = 0; i < kPages; i++) memset(pages + i * step, (int)(i + round) | 1, 64);
    began = now();
    if (madvise(pages, kPages * step, MADV_PAGEOUT) != 0) return perror("MADV_PAGEOUT"), 4;
    least(&out, began);
    began = now();
    for (size_t i = 0; i < kPages; i++) ((volatile char *)pages)[i * step] = 1;
    least(&in, began);
    madvise(pages, kPages * step, MADV_DONTNEED);
  }
  printf("out %lld\nin %lld\nfault %lld\n", (long long)out, (long long)in, (long long)fault);
}
