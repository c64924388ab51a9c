/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts and stops tracing. It is on while the device is open. */
#ifndef PM_PAGING_TRACE_H
#define PM_PAGING_TRACE_H

#include <linux/ktime.h>
#include <linux/types.h>

#include "kernel/compat.h"
#include "paging_hook.h"

/*
 * CLOCK_MONOTONIC in ns. If a probe is a breakpoint, its handler counts as an NMI, in which
 * ktime_get() may deadlock with an update of the clock. This function never waits. During an update
 * it may return a time some ns before its previous result.
 */
static inline u64 pm_paging_now(void)
{
	return ktime_get_mono_fast_ns();
}

/*
 * Id of the current read session; 0 if the device is not open. Handlers read it with preemption
 * off, so no more records are made once it is 0 and synchronize_rcu() has returned.
 */
extern u32 pm_paging_session;

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

/* Counts a call that cannot be recorded. */
void pm_paging_miss(void);
/* Reports an implausible argument. The call counts as missed if it is an event. Logged once. */
void pm_paging_reject(const struct pm_hook *hook);
/* Returns the folio of argument 0. If it is implausible, rejects the call and returns NULL. */
pm_folio *pm_paging_folio(const struct pm_hook *hook, struct pt_regs *regs);
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
