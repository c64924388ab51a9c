/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults and processor time of registered processes, summed twenty times a second into a buffer that programs map. */
#ifndef PM_PROFILER_H
#define PM_PROFILER_H

int pm_profiler_init(void);
void pm_profiler_exit(void);

#endif
