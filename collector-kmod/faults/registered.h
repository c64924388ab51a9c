/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One registered process, and its usage since the last sample.
 *
 * It is identified by a struct pid, so a later process with the same pid is a different one. A
 * reference to the task is held too, to read the last faults after the task exits. That keeps only
 * the task structure until the next tick, not the memory of the process.
 */
#ifndef PM_REGISTERED_H
#define PM_REGISTERED_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

/* Use of a task, or of its whole thread group. */
struct pm_usage {
	u64 min_flt, maj_flt;
	u64 cpu;		/* user and system, ns */
};

struct pm_registered {
	struct list_head link;
	struct pid *pid;
	struct task_struct *task;
	kuid_t user;		/* charged for it */
	struct pm_usage before;	/* at the last sample; the task's own counters are never changed */
};

/*
 * True: a process is the sum of its threads. False: only the thread with that id. Set before
 * anything is registered.
 */
extern bool pm_sum_groups;

/* Looks up nr in the caller's pid namespace. Returns NULL if not found. Called under RCU. */
struct pid *pm_find_registrable(pid_t nr);

/*
 * Returns a process that is in no list yet, -ESRCH if it does not exist or has ended, or -ENOMEM.
 */
struct pm_registered *pm_registered_new(pid_t nr, kuid_t user);
void pm_registered_free(struct pm_registered *process);

/* True if nothing more will be counted. The process may still be a zombie. */
bool pm_registered_is_over(const struct pm_registered *process);

/*
 * Adds the usage since the last call. Returns true if the process has ended and all of its usage is
 * counted.
 */
bool pm_registered_count(struct pm_registered *process, struct pm_usage *sums);

#endif
