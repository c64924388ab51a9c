/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults and processor time of registered processes, summed twenty times a second into a buffer
 * that programs map.
 *
 * /proc/mp3/status      profile_status.h: who is registered
 *   sampler.h           their list, and the work
 *     registered.h      one of them
 *     profile_buffer.h  where the samples go
 * /dev/mp3              profile_device.h: maps the buffer
 */
#ifndef PM_PROFILER_H
#define PM_PROFILER_H

/* 0 or -errno; a wrong parameter is said in the log. */
int pm_profiler_init(void);
void pm_profiler_exit(void);

#endif
