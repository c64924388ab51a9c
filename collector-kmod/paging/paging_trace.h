/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts and stops tracing. It is on while the device is open. */
#ifndef PM_PAGING_TRACE_H
#define PM_PAGING_TRACE_H

#include <linux/types.h>

/*
 * Registers all probes. maxactive: the number of swap-ins that may be in progress at once. Returns
 * 0 or -errno. Errors are logged.
 */
int pm_paging_trace_init(unsigned int maxactive);
void pm_paging_trace_exit(void);

/*
 * From begin to end, events are recorded in rings of ring_records records. Returns 0, -ENOMEM, or
 * the reason why functions cannot be probed.
 */
int pm_paging_trace_begin(unsigned int ring_records);
void pm_paging_trace_end(void);

/*
 * Calls since the module was loaded that each cost an event (faults, reads, writes, stores of
 * zswap): no probe was free, or they were rejected. A call that only adds a detail (owner, zswap,
 * zeros) is not counted; its event is recorded without the detail. One exception: a missed swap-out
 * of a zero-filled page is neither recorded nor counted.
 */
unsigned long pm_paging_missed(void);

/* Prints all hooks as pm_hooks_print() does. */
int pm_paging_print_hooks(char *buffer, size_t size);

#endif
