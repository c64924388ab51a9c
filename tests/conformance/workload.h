/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Sizes of this machine, set by main(): a page, and a huge page, which one entry of the page
 * middle directory (PMD) maps. */
extern size_t page_bytes;
extern size_t huge_bytes;
#define PAGE page_bytes
#define HUGE huge_bytes

struct workload_case {
  const char* name;
  void (*run)(void);
};

/* Each array ends with a case without a name. */
extern const struct workload_case workload_cases[];
extern const struct workload_case workload_swap_cases[];
extern const struct workload_case workload_task_cases[];

/* The folder for files of the case: its working directory, initially empty. */

/* Ends the program and reports why this machine does not support the case. */
_Noreturn void skip(const char* reason);

/* Maps anonymous private memory, aligned to a huge page. Pages are small until madvise changes
 * that. */
char* map_anonymous(size_t bytes);

/* Writes to the pages, so that they are resident and private. */
void touch(char* start, size_t first_page, size_t pages);

/* Reads from the pages. */
void read_pages(const char* start, size_t first_page, size_t pages);

/* The number after the word in a file of the kernel; -1 if not found. */
long long number_in(const char* path, const char* word);

/* Starts a child that runs body and then waits until it is killed. */
pid_t spawn(void (*body)(void));

/* Prints an expectation for the test. pid 0 is this process. README.md describes the pattern. */
void expect(pid_t pid, const void* start, size_t bytes, const char* unit, const char* pattern, ...)
    __attribute__((format(printf, 5, 6)));

/* Prints that the snapshot must contain this process, which can be selected with --pid. */
void print_process(pid_t pid);

/* Prints that the process must be a task in the address space of the other, without VMAs of its
 * own. */
void print_same_memory(pid_t pid, pid_t owner);

/* Prints "ready" and waits until the process is killed. */
_Noreturn void wait_until_killed(void);
