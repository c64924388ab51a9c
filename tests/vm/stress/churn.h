/* SPDX-License-Identifier: MIT */
/* Parts of physmem-churn: random numbers, kinds of stress, and the table of kinds. */
#ifndef PHYSMEM_TESTS_VM_STRESS_CHURN_H
#define PHYSMEM_TESTS_VM_STRESS_CHURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PAGE ((size_t)4096)
#define HUGE ((size_t)2 << 20)

/* A sequence of random numbers. Each thread has its own, so that its actions depend on the seed
 * only. */
struct dice {
  uint64_t state;
};

/* A random number from 0 to sides - 1. */
uint64_t roll(struct dice* dice, uint64_t sides);

/* Writes to `pages` pages from `start` on, so that they are resident. The bytes depend on `mark`
 * and on the page. */
void touch(char* start, size_t pages, char mark);

/* Whether the pages still have the data of touch(). */
bool untouched_since(const char* start, size_t pages, char mark);

/* Maps private anonymous memory, aligned to a huge page; NULL on failure. */
char* map_aligned(size_t bytes);

/* Replaces a page by one without access. Threads of one process map and unmap at the same time, so
 * a real hole in an area that is unmapped later could be reused by another thread. */
bool make_hole(char* page);

/* Calls fork(); the child ends with its parent. */
pid_t bear(void);

/* Waits for a child, also after interruptions. False if it was killed or reports a failure. */
bool reap(pid_t pid);

/* The cgroup for kind oom: a folder, or NULL. */
extern const char* churn_cgroup;

/*
 * A kind of stress: `run` returns true if it was done, false if the kernel refused (no memory, no
 * huge pages left …). If its memory has changed, it calls corrupted().
 */
struct kind {
  const char* name;
  bool (*run)(struct dice* dice);
  unsigned int weight; /* how often, compared with the others */
};

_Noreturn void corrupted(const char* what);

extern const struct kind process_kinds[], map_kinds[], page_kinds[];

/* Runs in a process that churn has started by exec; `role` is its first argument. */
int exec_role(int argc, char** argv);

#endif
