/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One registered process, and what it did since it was last asked.
 *
 * A struct pid names it, so that a process that gets the same number later is another one. Its task
 * is held too, to read the last faults after its end; that is the structure only, not the memory of
 * the process, and until the next tick.
 */
#ifndef PM_REGISTERED_H
#define PM_REGISTERED_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

/* Of a task or of its whole thread group. */
struct pm_usage {
	u64 min_flt, maj_flt;
	u64 cpu;		/* user and system, ns */
};

struct pm_registered {
	struct list_head link;
	struct pid *pid;
	struct task_struct *task;
	kuid_t user;		/* whose share it takes */
	struct pm_usage before;	/* when it was last asked; the task's own counters are never touched */
};

/*
 * Whether a process is the sum of its threads, or the thread that has the number. Set before
 * anything is registered.
 */
extern bool pm_sum_groups;

/* What the number means in the caller's pid namespace; NULL: nothing. Under RCU. */
struct pid *pm_find_registrable(pid_t nr);

/* Not yet in a list. -ESRCH: there is no such process, or it has ended; -ENOMEM. */
struct pm_registered *pm_registered_new(pid_t nr, kuid_t user);
void pm_registered_free(struct pm_registered *process);

/* Nothing will be counted any more; it may still have a parent that has not waited for it. */
bool pm_registered_is_over(const struct pm_registered *process);

/* Adds what the process did since the last time. True: it is over, and all it did is counted. */
bool pm_registered_count(struct pm_registered *process, struct pm_usage *sums);

#endif
