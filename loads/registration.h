/* SPDX-License-Identifier: MIT */
/* What a process says to the profiler module: count me, count me no more. */
#ifndef PHYSMEM_LOADS_REGISTRATION_H
#define PHYSMEM_LOADS_REGISTRATION_H

#define LOAD_STATUS_FILE "/proc/mp3/status"

/*
 * Writes "R PID" and "U PID". Without a profiler a load is still a load: a failure is told and
 * ignored. After U it tells what getrusage() has counted since R.
 */
void load_register(const char* status_file);
void load_unregister(const char* status_file);

#endif
