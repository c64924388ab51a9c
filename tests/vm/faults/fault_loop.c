// SPDX-License-Identifier: MIT
/* Measures page faults: fault_loop ROUNDS prints nanoseconds per fault of the best and of the
 * median round. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { kPages = 512, kMaxRounds = 1000 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static int compare(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

int main(int argc, char *argv[]) {
  int rounds = argc > 1 ? atoi(argv[1]) : 0;
  if (rounds < 1 || rounds > kMaxRounds)
    return fputs("usage: fault_loop ROUNDS, 1 to 1000\n", stderr), 2;
  size_t step = sysconf(_SC_PAGESIZE);
  char *pages =
      mmap(NULL, kPages * step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return perror("mmap"), 2;
  madvise(pages, kPages * step, MADV_NOHUGEPAGE);
  static int64_t took[kMaxRounds];
  for (int round = -1; round < rounds; round++) {  /* round -1 makes the page tables */
    int64_t begin = now();
    for (size_t i = 0; i < kPages; i++) ((volatile char *)pages)[i * step] = 1;
    if (round >= 0) took[round] = now() - begin;
    madvise(pages, kPages * step, MADV_DONTNEED);
  }
  qsort(took, rounds, sizeof *took, compare);
  printf("%lld %lld\n", (long long)(took[0] / kPages), (long long)(took[rounds / 2] / kPages));
}
