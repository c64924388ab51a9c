/* SPDX-License-Identifier: MIT */
/* What a load tells on standard error, and the time it has. */
#ifndef PHYSMEM_LOADS_PROGRESS_H
#define PHYSMEM_LOADS_PROGRESS_H

#include <stdbool.h>

/* Exit statuses, the same for every command of the project. */
enum load_exit { LOAD_DONE = 0, LOAD_USAGE = 2, LOAD_IO = 4 };

/* The name that stands in front of each line. */
void load_begin(const char* name);

/* One line: the load, its process, seconds since it began, the message. */
void load_say(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* What is wrong with the command line: no process, no time. */
void load_refuse(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* Seconds since load_begin(), of a clock that nobody sets. */
double load_time(void);

/* Whether `seconds` since load_begin() are over; 0 seconds never are. */
bool load_is_over(double seconds);

/* Sleeps, but not beyond the end that load_is_over() knows. */
void load_sleep(double seconds, double end);

/*
 * A process that ends when its parent ends, whatever ends it. As fork(): 0 in the child; -1 is told
 * already.
 */
int load_fork(void);

/* Ends children, stopped ones too, and waits for them. */
void load_end_children(const int* pids, int count);

#endif
