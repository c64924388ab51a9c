// SPDX-License-Identifier: GPL-2.0-only
#include "paging_trace.h"

#include <linux/printk.h>

#include "kernel/kernel_types.h"
#include "paging_in.h"
#include "paging_out.h"
#include "paging_ring.h"
#include "paging_session.h"
#include "paging_task.h"

/* Logged once, when the module is loaded. */
static void log_missing_hooks(void)
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
	pm_rings_init(pm_paging_missed);
	pm_paging_out_init();
	error = pm_hooks_set(pm_in_hooks, PM_IN_HOOKS, &types, maxactive);
	if (error)
		goto no_in;
	error = pm_hooks_set(pm_out_hooks, PM_OUT_HOOKS, &types, maxactive);
	if (error)
		goto no_out;
	pm_kernel_types_free(&types);
	log_missing_hooks();
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

int pm_paging_trace_begin(unsigned int ring_records)
{
	int error = pm_rings_new(ring_records);

	if (error)
		return error;
	error = pm_hooks_arm(pm_out_hooks, PM_OUT_HOOKS);
	if (error)
		goto no_out;
	error = pm_hooks_arm(pm_in_hooks, PM_IN_HOOKS);
	if (error)
		goto no_in;
	pm_paging_session_begin();
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
	pm_paging_session_end();
	pm_rings_free();
}

unsigned long pm_paging_missed(void)
{
	return pm_paging_session_missed() + pm_hooks_missed(pm_in_hooks, PM_IN_HOOKS) +
	       pm_hooks_missed(pm_out_hooks, PM_OUT_HOOKS);
}

int pm_paging_print_hooks(char *buffer, size_t size)
{
	int bytes = pm_hooks_print(pm_in_hooks, PM_IN_HOOKS, buffer, size);

	return bytes + pm_hooks_print(pm_out_hooks, PM_OUT_HOOKS, buffer + bytes, size - bytes);
}
