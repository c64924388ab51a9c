/* SPDX-License-Identifier: MIT */
/* Registers a process at the profiler module, and unregisters it. */
#ifndef PHYSMEM_LOADS_REGISTRATION_H
#define PHYSMEM_LOADS_REGISTRATION_H

#define LOAD_STATUS_FILE "/proc/mp3/status"

/*
 * Writes "R PID" and "U PID". A load also works without a profiler, so a failure is reported and
 * ignored. After U prints the usage since R by getrusage().
 */
void load_register(const char* status_file);
void load_unregister(const char* status_file);

#endif
