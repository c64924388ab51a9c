// SPDX-License-Identifier: GPL-2.0-only
#include "profiler.h"

#include <linux/module.h>

#include "kernel/parameter.h"
#include "profile_buffer.h"
#include "profile_device.h"
#include "profile_status.h"
#include "registered.h"
#include "sampler.h"

/* Each tick walks the list. With this many processes it takes about 1 ms. */
#define MAX_PROCESSES 4096

static unsigned int major = 423;
module_param(major, uint, 0444);
MODULE_PARM_DESC(major, "major number of the character device; 0: any free number [423]");

static ushort node_mode = 0600;
module_param(node_mode, ushort, 0444);
MODULE_PARM_DESC(node_mode, "permissions of /dev/mp3 [0600]");

static unsigned int limit = 256;
module_param(limit, uint, 0444);
MODULE_PARM_DESC(limit, "maximum registered processes, 1 to 4096 [256]");

static unsigned int user_limit;
module_param(user_limit, uint, 0444);
MODULE_PARM_DESC(user_limit, "maximum registered by one user without CAP_SYS_RESOURCE; 0: a quarter of limit [0]");

static char *cpu = "jiffies";
module_param(cpu, charp, 0444);
MODULE_PARM_DESC(cpu, "unit of CPU time: jiffies or ns [jiffies]");

static bool group;
module_param(group, bool, 0444);
MODULE_PARM_DESC(group, "count all threads of a registered process, ended ones too; otherwise only the one thread [N]");

static int __init read_parameters(struct pm_sampler_settings *settings)
{
	int ns = pm_second_of("cpu", cpu, "jiffies", "ns");

	if (ns < 0)
		return ns;
	if (limit < 1 || limit > MAX_PROCESSES) {
		pr_err("physmem_faults: parameter limit: found %u, expected 1 to %u\n", limit,
		       MAX_PROCESSES);
		return -EINVAL;
	}
	if (node_mode & ~0777) {
		pr_err("physmem_faults: parameter node_mode: found 0%o, expected 0 to 0777\n",
		       node_mode);
		return -EINVAL;
	}
	settings->limit = limit;
	settings->user_limit = user_limit ? user_limit : max(limit / 4, 1u);
	settings->is_cpu_in_ns = ns;
	pm_sum_groups = group;
	return 0;
}

int __init pm_profiler_init(void)
{
	struct pm_sampler_settings settings;
	int error = read_parameters(&settings);

	if (error)
		return error;
	error = pm_profile_buffer_init();
	if (error)
		return error;
	error = pm_sampler_init(&settings);
	if (error)
		goto no_sampler;
	error = pm_profile_device_init(major, node_mode);
	if (error)
		goto no_device;
	error = pm_profile_status_init();
	if (error)
		goto no_status;
	return 0;

no_status:
	pm_profile_device_exit();
no_device:
	pm_sampler_exit();
no_sampler:
	pm_profile_buffer_exit();
	return error;
}

void pm_profiler_exit(void)
{
	pm_profile_status_exit();
	pm_sampler_exit();
	pm_profile_device_exit();
	pm_profile_buffer_exit();
}
