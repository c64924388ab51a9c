// SPDX-License-Identifier: GPL-2.0-only
#include "paging_session.h"

#include <linux/atomic.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

#include "kernel/page_check.h"

u32 pm_paging_session;
static u32 last_session;
static atomic_long_t missed = ATOMIC_LONG_INIT(0);

/*
 * Handlers that are running now use the old session. On return all of them have finished, and later
 * ones see the new session.
 */
static void set_session(u32 session)
{
	WRITE_ONCE(pm_paging_session, session);
	synchronize_rcu();
}

void pm_paging_session_begin(void)
{
	if (!++last_session)
		last_session = 1;
	set_session(last_session);
}

void pm_paging_session_end(void)
{
	set_session(0);
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

unsigned long pm_paging_session_missed(void)
{
	return atomic_long_read(&missed);
}
