// SPDX-License-Identifier: GPL-2.0-only
/*
 * physmem_paging: swap-ins and swap-outs as they happen.
 *
 * /dev/physmem_paging    read records of formats/emit/paging_record.h: one reader, and nothing is
 * probed without
 */
#include <linux/log2.h>
#include <linux/module.h>

#include "kernel/parameter.h"
#include "paging_device.h"
#include "paging_filter.h"
#include "paging_ring.h"
#include "paging_trace.h"

#define MAX_ACTIVE 65536u

static unsigned int ring_records = 16384;
module_param(ring_records, uint, 0444);
MODULE_PARM_DESC(ring_records, "records of each processor's ring, 16 to 1048576; a power of two is made of it [16384]");

static unsigned int maxactive = 1024;
module_param(maxactive, uint, 0444);
MODULE_PARM_DESC(maxactive, "swap-ins that may be under way at once, 1 to 65536; more are missed [1024]");

module_param_cb(pid, &pm_pid_list_operations, &pm_wanted_pids, 0600);
MODULE_PARM_DESC(pid, "only events of these processes, with a comma between them, 16 at most; 0: all [0]");
module_param_cb(exclude, &pm_pid_list_operations, &pm_excluded_pids, 0600);
MODULE_PARM_DESC(exclude, "no events of these processes, as pid; 0: none [0]");

module_param_cb(lost, &pm_counter_operations, pm_rings_lost, 0444);
MODULE_PARM_DESC(lost, "to be read: events that found no room in their ring");
module_param_cb(missed, &pm_counter_operations, pm_paging_missed, 0444);
MODULE_PARM_DESC(missed, "to be read: calls that were not seen");

static int get_hooks(char *buffer, const struct kernel_param *parameter)
{
	return pm_paging_print_hooks(buffer, PAGE_SIZE);
}

static const struct kernel_param_ops hooks_operations = {
	.set = pm_refuse_to_set,
	.get = get_hooks,
};
module_param_cb(hooks, &hooks_operations, NULL, 0400);
MODULE_PARM_DESC(hooks, "probed functions, each with type and position of the arguments that are read (read-only)");

static int __init read_parameters(void)
{
	if (pm_refuse_outside("ring_records", ring_records, PM_FEWEST_RING_RECORDS, PM_MAX_RING_RECORDS) ||
	    pm_refuse_outside("maxactive", maxactive, 1, MAX_ACTIVE))
		return -EINVAL;
	ring_records = roundup_pow_of_two(ring_records);
	return 0;
}

static int __init physmem_paging_init(void)
{
	int error = read_parameters();

	if (error)
		return error;
	error = pm_paging_trace_init(maxactive);
	if (error)
		return error;
	error = pm_paging_device_init(ring_records);
	if (error)
		pm_paging_trace_exit();
	return error;
}

static void __exit physmem_paging_exit(void)
{
	unsigned long missed;

	pm_paging_device_exit();
	missed = pm_paging_missed();	/* the probes count, which are gone next */
	pm_paging_trace_exit();
	if (pm_rings_lost() || missed)
		pr_notice("physmem_paging: %lu events found no room, %lu calls were not seen\n", pm_rings_lost(), missed);
}

module_init(physmem_paging_init);
module_exit(physmem_paging_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("physmem: pages on their way between memory and swap");
MODULE_VERSION("0.1.0");
