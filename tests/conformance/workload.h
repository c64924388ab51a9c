/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Of this machine, set by main(): a page, and the huge page that one entry maps in the table above
 * the last. */
extern size_t page_bytes;
extern size_t huge_bytes;
#define PAGE page_bytes
#define HUGE huge_bytes

struct workload_case {
  const char* name;
  void (*run)(void);
};

/* Each ends with a case without name. */
extern const struct workload_case workload_cases[];
extern const struct workload_case workload_swap_cases[];

/* The folder the case may put files into: its current one, empty. */

/* Ends the program: this machine cannot do it, for that reason. */
_Noreturn void skip(const char* reason);

/* Anonymous private memory, aligned to a huge page, small pages unless advised otherwise later. */
char* map_anonymous(size_t bytes);

/* Writes to a page, so that it is there and ours. */
void touch(char* start, size_t first_page, size_t pages);

/* Reads from the page. */
void look(const char* start, size_t first_page, size_t pages);

/* The number behind the word in a file of the kernel, -1: there is none. */
long long number_in(const char* path, const char* word);

/* A child that runs body and then stands still. */
pid_t spawn(void (*body)(void));

/* Tells the test. pid 0: this process. See README.md for the pattern. */
void expect(pid_t pid, const void* start, size_t bytes, const char* unit, const char* pattern, ...)
    __attribute__((format(printf, 5, 6)));

/* The snapshot must have this process (and may be asked for it). */
void tell_process(pid_t pid);

/* The process must be a task of the address space of the other, with no areas of its own. */
void tell_same_memory(pid_t pid, pid_t owner);

/* Everything is told: stand still until killed. */
_Noreturn void hold_still(void);
