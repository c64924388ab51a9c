/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/MemoryMonitor: lists each task that had a page fault since the module was loaded. */
#ifndef PM_MEMORY_MONITOR_H
#define PM_MEMORY_MONITOR_H

int pm_memory_monitor_init(void);
void pm_memory_monitor_exit(void);

#endif
