// SPDX-License-Identifier: MIT
#ifndef FAULT_STAGES_H
#define FAULT_STAGES_H

#include <stddef.h>

enum { kPages = 500 };

/* Fresh private memory, without huge pages. Ends the program when there is none. */
char* fresh_pages(size_t pages);

/* One write to each page. */
void touch(char* pages, size_t n);

/*
 * Works in stages, each with a known number of faults, and looks at /proc/MemoryMonitor before and
 * after each. A line for each: name, faults that there must be, by getrusage, in the row of the
 * thread, in that of the process.
 */
int run_stages(void);

#endif
