/* SPDX-License-Identifier: MIT */
/* Messages of a load on standard error, and its time. */
#ifndef PHYSMEM_LOADS_PROGRESS_H
#define PHYSMEM_LOADS_PROGRESS_H

#include <stdbool.h>

/* Exit statuses, the same for every command of the project. */
enum load_exit { LOAD_DONE = 0, LOAD_USAGE = 2, LOAD_IO = 4 };

/* Starts the clock and sets the name at the beginning of each line. */
void load_begin(const char* name);

/* Prints a line: the load, its process id, seconds since it began, the message. */
void load_say(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* Prints an error of the command line, without process id and time. */
void load_refuse(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* Seconds since load_begin(), by a monotonic clock. */
double load_time(void);

/* True if `seconds` have passed since load_begin(); never true for 0. */
bool load_is_over(double seconds);

/* Sleeps, but not beyond `end`, which is as for load_is_over(). */
void load_sleep(double seconds, double end);

/*
 * Starts a process that ends when its parent ends, for any reason. Returns as fork(): 0 in the
 * child; -1 after a message.
 */
int load_fork(void);

/* Kills children, including stopped ones, and waits for them. */
void load_end_children(const int* pids, int count);

#endif
