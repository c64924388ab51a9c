// SPDX-License-Identifier: GPL-2.0-only
/*
 * physmem_faults: samples page faults of registered processes 20 times per second, and counts the
 * page faults of every task.
 *
 * /proc/mp3/status, /dev/mp3     the profiler: profiler.h
 * /proc/MemoryMonitor            one line per task that had a page fault: memory_monitor.h
 */
#include <linux/module.h>

#include "memory_monitor.h"
#include "profiler.h"

static int __init physmem_faults_init(void)
{
	int error = pm_profiler_init();

	if (error)
		return error;
	error = pm_memory_monitor_init();
	if (error)
		pm_profiler_exit();
	return error;
}

static void __exit physmem_faults_exit(void)
{
	pm_memory_monitor_exit();
	pm_profiler_exit();
}

module_init(physmem_faults_init);
module_exit(physmem_faults_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("physmem: page faults over time");
MODULE_VERSION("0.2.0");
MODULE_ALIAS("mp3");
