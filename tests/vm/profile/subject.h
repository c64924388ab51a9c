/* SPDX-License-Identifier: MIT */
/* Pieces of profile-subject: what is registered with the profiler, and looks at what comes of it.
 */
#ifndef PM_TEST_SUBJECT_H
#define PM_TEST_SUBJECT_H

#include <stddef.h>

#define STATUS_FILE "/proc/mp3/status"

/* One write() of it to the status file: 0 or errno. */
int tell(const char* command, size_t length);
/* tell() of a letter and a number; ends the program when that fails. */
void must_tell(char letter, int pid);

/* Each returns the program's exit status. */
int touch_pages(size_t pages, const char* how);
int try_mappings(const char* node);
int map_as_old_program(const char* node);
int hold_mapping(const char* node, unsigned int seconds);
int race(const char* node, unsigned int seconds);

#endif
