// SPDX-License-Identifier: GPL-2.0-only
/* Tasks as owners of their stacks. */
#include <linux/math64.h>
#include <linux/pid.h>
#include <linux/sched/task_stack.h>

#include "kernel_memory_walk.h"
#include "owners.h"

static bool has_stack(const struct task_struct *task, u64 pfn)
{
	unsigned int i;

	for (i = 0; i < THREAD_SIZE / PAGE_SIZE; i++)
		if (pm_stack_frame(task, i) == pfn)
			return true;
	return false;
}

/* The task with this id may be another one by now. */
static u64 put_task(struct pm_owners *owners, u64 key, pid_t pid, u64 pfn)
{
	struct task_struct *task = pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID);
	struct pm_ram_owner owner = { .kind = PM_OWNER_TASK, .number = pid };

	if (!task || !has_stack(task, pfn))
		return 0;
	owner.start_time = div_u64(task->start_boottime, NSEC_PER_SEC / USER_HZ);
	return pm_put_owner(owners, key, PM_RAM_KERNEL_STACK, &owner);
}

u64 pm_task_owner(struct pm_owners *owners, pid_t pid, u64 pfn)
{
	u64 key = pm_owner_key(pid, 3);
	const u64 *name = pm_known_find(&owners->known, key);

	return (name ? *name : put_task(owners, key, pid, pfn)) >> 8;
}
