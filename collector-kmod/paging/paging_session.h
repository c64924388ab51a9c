/* SPDX-License-Identifier: GPL-2.0-only */
/* What the handlers of all hooks share: the read session, the clock, and calls that are missed. */
#ifndef PM_PAGING_SESSION_H
#define PM_PAGING_SESSION_H

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
 * Begins a session with a new id, and ends it. On return all handlers of the session before have
 * finished.
 */
void pm_paging_session_begin(void);
void pm_paging_session_end(void);

/* Counts a call that cannot be recorded. */
void pm_paging_miss(void);
/* Reports an implausible argument. The call counts as missed if it is an event. Logged once. */
void pm_paging_reject(const struct pm_hook *hook);
/* Returns the folio of argument 0. If it is implausible, rejects the call and returns NULL. */
pm_folio *pm_paging_folio(const struct pm_hook *hook, struct pt_regs *regs);
/* Calls counted by these functions since the module was loaded. */
unsigned long pm_paging_session_missed(void);

#endif
