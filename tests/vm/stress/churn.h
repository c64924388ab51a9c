/* SPDX-License-Identifier: MIT */
/* What physmem-churn is made of: dice, kinds of trouble, and the table of kinds. */
#ifndef PHYSMEM_TESTS_VM_STRESS_CHURN_H
#define PHYSMEM_TESTS_VM_STRESS_CHURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PAGE ((size_t)4096)
#define HUGE ((size_t)2 << 20)

/* One sequence of random numbers; each thread has its own, so that a seed decides what it does. */
struct dice {
  uint64_t state;
};

/* 0 to sides - 1. */
uint64_t roll(struct dice* dice, uint64_t sides);

/* Writes to `pages` pages from `start` on, so that they are there; each byte depends on `mark` and
 * the page. */
void touch(char* start, size_t pages, char mark);

/* Whether the pages still hold what touch() wrote. */
bool untouched_since(const char* start, size_t pages, char mark);

/* Private anonymous memory whose start is aligned to a huge page; NULL if there is none. */
char* map_aligned(size_t bytes);

/* Threads of one process map and unmap side by side, so nobody leaves a hole in an area that is
 * unmapped as a whole later. */
bool make_hole(char* page);

/* fork(); the child ends with its parent. */
pid_t bear(void);

/* Waits for a child, however often it is interrupted. False: it was killed, or reports failure. */
bool reap(pid_t pid);

/* The control group for kind oom: a folder, or NULL. */
extern const char* churn_cgroup;

/*
 * A kind of trouble: true when it was done, false when the kernel refused (no memory, no huge pages
 * left …). One that finds its memory changed calls corrupted().
 */
struct kind {
  const char* name;
  bool (*run)(struct dice* dice);
  unsigned int weight; /* how often, compared with the others */
};

_Noreturn void corrupted(const char* what);

extern const struct kind process_kinds[], map_kinds[], page_kinds[];

/* What a process does that churn made by exec: `role` is its first argument. */
int exec_role(int argc, char** argv);

#endif
