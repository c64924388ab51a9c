/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracing as a whole: on while somebody reads. */
#ifndef PM_PAGING_TRACE_H
#define PM_PAGING_TRACE_H

#include <linux/ktime.h>
#include <linux/types.h>

#include "kernel/compat.h"
#include "paging_hook.h"

/*
 * In ns, as CLOCK_MONOTONIC. Where a probe is a breakpoint its handler counts as an NMI, in which
 * ktime_get() may not wait for who sets the clock. This one never waits: while the clock is set it
 * may be some ns behind what it said before.
 */
static inline u64 pm_paging_now(void)
{
	return ktime_get_mono_fast_ns();
}

/*
 * Not 0 while somebody reads: the number of that reading. Handlers look at it with preemption off,
 * so after it has become 0 and RCU has waited no record is made any more.
 */
extern u32 pm_paging_session;

/*
 * Finds all functions. maxactive: swap-ins that may be under way at once. 0 or -errno, which stands
 * in the log.
 */
int pm_paging_trace_init(unsigned int maxactive);
void pm_paging_trace_exit(void);

/*
 * From begin to end records come into rings of so many. -ENOMEM, or why functions cannot be probed.
 */
int pm_paging_trace_begin(unsigned int ring_records);
void pm_paging_trace_end(void);

/* A call that nothing can be kept of. */
void pm_paging_miss(void);
/* An argument of this call is not plausible: missed, if the call is an event. Logged once. */
void pm_paging_reject(const struct pm_hook *hook);
/* Folio of argument 0. NULL, and rejected, if it is not plausible. */
pm_folio *pm_paging_folio(const struct pm_hook *hook, struct pt_regs *regs);
/*
 * Calls since the module was loaded that each cost an event (faults, reads, writes, stores of
 * zswap): no probe was free, or they were rejected. A call that only adds a detail (owner, zswap,
 * zeros) is not counted: its event comes without the detail. One exception: a page of zeros that
 * leaves unseen is neither recorded nor counted.
 */
unsigned long pm_paging_missed(void);

/* All hooks, as pm_hooks_print() does. */
int pm_paging_print_hooks(char *buffer, size_t size);

#endif
