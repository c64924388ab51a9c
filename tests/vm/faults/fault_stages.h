// SPDX-License-Identifier: MIT
#ifndef FAULT_STAGES_H
#define FAULT_STAGES_H

#include <stddef.h>

enum { kPages = 500 };

/* Maps new private memory without huge pages. Ends the program on failure. */
char* fresh_pages(size_t pages);

/* Writes once to each page. */
void touch(char* pages, size_t n);

/*
 * Runs stages with known numbers of faults, and reads /proc/MemoryMonitor before and after each.
 * Prints a line per stage: name, expected faults, faults by getrusage, in the row of the thread,
 * and in the row of the process.
 */
int run_stages(void);

#endif
