// SPDX-License-Identifier: GPL-2.0-only
#include "paging_trace.h"

#include <linux/atomic.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

#include "paging_in.h"
#include "paging_out.h"
#include "paging_ring.h"
#include "paging_task.h"

u32 pm_paging_session;
static u32 last_session;
static atomic_long_t missed = ATOMIC_LONG_INIT(0);

/* Logged once, when the module is loaded. */
static void tell_what_is_missing(void)
{
	if (!pm_paging_in_sees_zswap())
		pr_info("physmem_paging: cannot probe zswap; pages from zswap and zero-filled pages are recorded as reads\n");
	if (!pm_paging_out_sees_owners())
		pr_info("physmem_paging: cannot probe try_to_unmap_one; swap-out records will have no owner\n");
}

int pm_paging_trace_init(unsigned int maxactive)
{
	struct pm_kernel_types types;
	int error = pm_paging_tasks_init(maxactive);

	if (error)
		return error;
	pm_kernel_types_read(&types);
	pm_rings_init();
	pm_paging_out_init();
	error = pm_hooks_set(pm_in_hooks, PM_IN_HOOKS, &types, maxactive);
	if (error)
		goto no_in;
	error = pm_hooks_set(pm_out_hooks, PM_OUT_HOOKS, &types, maxactive);
	if (error)
		goto no_out;
	pm_kernel_types_free(&types);
	tell_what_is_missing();
	return 0;

no_out:
	pm_hooks_remove(pm_in_hooks, PM_IN_HOOKS);
no_in:
	pm_kernel_types_free(&types);
	pm_paging_tasks_exit();
	return error;
}

void pm_paging_trace_exit(void)
{
	pm_hooks_remove(pm_out_hooks, PM_OUT_HOOKS);
	pm_hooks_remove(pm_in_hooks, PM_IN_HOOKS);
	pm_paging_tasks_exit();
}

/*
 * Handlers that are running now use the old session. On return all of them have finished, and later
 * ones see the new session.
 */
static void set_session(u32 session)
{
	WRITE_ONCE(pm_paging_session, session);
	synchronize_rcu();
}

int pm_paging_trace_begin(unsigned int ring_records)
{
	int error = pm_rings_new(ring_records);

	if (error)
		return error;
	if (!++last_session)
		last_session = 1;
	error = pm_hooks_arm(pm_out_hooks, PM_OUT_HOOKS);
	if (error)
		goto no_out;
	error = pm_hooks_arm(pm_in_hooks, PM_IN_HOOKS);
	if (error)
		goto no_in;
	set_session(last_session);
	return 0;

no_in:
	pm_hooks_disarm(pm_out_hooks, PM_OUT_HOOKS);
no_out:
	pm_rings_free();
	return error;
}

void pm_paging_trace_end(void)
{
	pm_hooks_disarm(pm_in_hooks, PM_IN_HOOKS);
	pm_hooks_disarm(pm_out_hooks, PM_OUT_HOOKS);
	set_session(0);
	pm_rings_free();
}

void pm_paging_miss(void)
{
	atomic_long_inc(&missed);
}

void pm_paging_reject(const struct pm_hook *hook)
{
	if (hook->is_event)
		pm_paging_miss();
	pr_warn_once("physmem_paging: an argument of %s is not plausible, such calls are ignored\n",
		     hook->probe.kp.symbol_name);
}

pm_folio *pm_paging_folio(const struct pm_hook *hook, struct pt_regs *regs)
{
	struct page *page = (void *)pm_hook_argument(hook, regs, 0);

	if (pm_is_page(page))
		return pm_folio_of(page);
	pm_paging_reject(hook);
	return NULL;
}

unsigned long pm_paging_missed(void)
{
	return atomic_long_read(&missed) + pm_hooks_missed(pm_in_hooks, PM_IN_HOOKS) +
	       pm_hooks_missed(pm_out_hooks, PM_OUT_HOOKS);
}

int pm_paging_print_hooks(char *buffer, size_t size)
{
	int bytes = pm_hooks_print(pm_in_hooks, PM_IN_HOOKS, buffer, size);

	return bytes + pm_hooks_print(pm_out_hooks, PM_OUT_HOOKS, buffer + bytes, size - bytes);
}
