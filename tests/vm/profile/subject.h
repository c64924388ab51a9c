/* SPDX-License-Identifier: MIT */
/* Parts of profile-subject, which registers processes with the profiler and checks the results. */
#ifndef PM_TEST_SUBJECT_H
#define PM_TEST_SUBJECT_H

#include <stddef.h>

#define STATUS_FILE "/proc/mp3/status"

/* Writes the command to the status file with one write(). Returns 0 or errno. */
int write_command(const char* command, size_t length);
/* Calls write_command() with a letter and a number; ends the program on failure. */
void must_write(char letter, int pid);

/* Each returns the program's exit status. */
int touch_pages(size_t pages, const char* how);
int try_mappings(const char* node);
int map_as_old_program(const char* node);
int hold_mapping(const char* node, unsigned int seconds);
int race(const char* node, unsigned int seconds);

#endif
