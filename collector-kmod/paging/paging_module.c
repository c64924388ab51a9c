// SPDX-License-Identifier: GPL-2.0-only
/*
 * physmem_paging: swap-ins and swap-outs as they happen.
 *
 * /dev/physmem_paging    records as in formats/emit/paging_record.h, for one reader
 *
 * Probes are armed only while the device is open.
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
MODULE_PARM_DESC(ring_records, "records of each CPU's ring, 16 to 1048576; rounded up to a power of two [16384]");

static unsigned int maxactive = 1024;
module_param(maxactive, uint, 0444);
MODULE_PARM_DESC(maxactive, "maximum swap-ins in progress at once, 1 to 65536; more are missed [1024]");

module_param_cb(pid, &pm_pid_list_operations, &pm_selected_pids, 0600);
MODULE_PARM_DESC(pid, "record only events of these processes: comma-separated ids, 16 at most; 0: all [0]");
module_param_cb(exclude, &pm_pid_list_operations, &pm_excluded_pids, 0600);
MODULE_PARM_DESC(exclude, "do not record events of these processes: as pid; 0: none [0]");

module_param_cb(lost, &pm_counter_operations, pm_rings_lost, 0444);
MODULE_PARM_DESC(lost, "events lost because their ring was full (read-only)");
module_param_cb(missed, &pm_counter_operations, pm_paging_missed, 0444);
MODULE_PARM_DESC(missed, "missed calls of probed functions (read-only)");

static int get_hooks(char *buffer, const struct kernel_param *parameter)
{
	return pm_paging_print_hooks(buffer, PAGE_SIZE);
}

static const struct kernel_param_ops hooks_operations = {
	.set = pm_refuse_to_set,
	.get = get_hooks,
};
module_param_cb(hooks, &hooks_operations, NULL, 0400);
MODULE_PARM_DESC(hooks, "probed functions, each with type and position of the arguments it reads (read-only)");

static int __init read_parameters(void)
{
	if (pm_refuse_outside("ring_records", ring_records, PM_MIN_RING_RECORDS,
			      PM_MAX_RING_RECORDS) ||
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
	missed = pm_paging_missed();	/* counted by the probes, removed next */
	pm_paging_trace_exit();
	if (pm_rings_lost() || missed)
		pr_notice("physmem_paging: %lu events lost (ring full), %lu calls missed\n",
			  pm_rings_lost(), missed);
}

module_init(physmem_paging_init);
module_exit(physmem_paging_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("physmem: pages on their way between memory and swap");
MODULE_VERSION("0.2.0");
