/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums faults and CPU time of registered processes 20 times per second, and writes the sums into
 * a buffer that programs map.
 *
 * /proc/mp3/status      profile_status.h: the registered processes
 *   sampler.h           the list of them, and the periodic work
 *     registered.h      one registered process
 *     profile_buffer.h  the buffer for samples
 * /dev/mp3              profile_device.h: maps the buffer
 */
#ifndef PM_PROFILER_H
#define PM_PROFILER_H

/* Returns 0 or -errno. A wrong parameter is logged. */
int pm_profiler_init(void);
void pm_profiler_exit(void);

#endif
