/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Faults and CPU time of a whole process, as in /proc/PID/stat. No kernel exports a function for
 * it. Inline, because two modules use it.
 */
#ifndef PM_GROUP_SUMS_H
#define PM_GROUP_SUMS_H

#include <linux/sched/cputime.h>
#include <linux/sched/signal.h>

#include "compat.h"

struct pm_group_sums {
	u64 min_flt, maj_flt;
	u64 utime, stime, runtime;	/* ns; runtime is the scheduler's sum of both */
};

/*
 * Ticks give the ratio of user to system time, and the scheduler gives the total. The kernel
 * reports the total divided by that ratio, and never less than it reported before (cputime_adjust()
 * in kernel/sched/cputime.c, which is not exported for thread groups).
 */
static inline void pm_adjust_times(struct prev_cputime *shown, struct pm_group_sums *sums)
{
#ifndef CONFIG_VIRT_CPU_ACCOUNTING_NATIVE
	u64 stime = sums->stime;
	unsigned long flags;

	raw_spin_lock_irqsave(&shown->lock, flags);
	if (shown->stime + shown->utime >= sums->runtime) {
		sums->utime = shown->utime;
		sums->stime = shown->stime;
	} else {
		if (!stime || !sums->utime)
			stime = stime ? sums->runtime : 0;
		else
			stime = min(pm_scale(stime, sums->runtime, stime + sums->utime),
				    sums->runtime);
		stime = max(stime, shown->stime);
		sums->utime = max(sums->runtime - stime, shown->utime);
		sums->stime = sums->runtime - sums->utime;
	}
	raw_spin_unlock_irqrestore(&shown->lock, flags);
#endif
}

static inline void pm_add_thread(struct pm_group_sums *sums, const struct task_struct *thread)
{
	sums->min_flt += thread->min_flt;
	sums->maj_flt += thread->maj_flt;
	sums->utime += thread->utime;
	sums->stime += thread->stime;
	sums->runtime += thread->se.sum_exec_runtime;
}

/* The signal structure has the sums of exited threads; live threads are added. Called under RCU. */
static inline void pm_add_group(struct task_struct *task, struct pm_group_sums *sums)
{
	const struct signal_struct *signal = task->signal;
	struct task_struct *thread;

	sums->min_flt = signal->min_flt;
	sums->maj_flt = signal->maj_flt;
	sums->utime = signal->utime;
	sums->stime = signal->stime;
	sums->runtime = signal->sum_sched_runtime;
	for_each_thread(task, thread)
		pm_add_thread(sums, thread);
}

/*
 * If a thread exits during the walk, the sums are computed again, with the lock that exiting
 * threads take. The caller holds a reference to the task; its threads may all have exited.
 */
static inline void pm_sum_group(struct task_struct *task, struct pm_group_sums *sums)
{
	struct signal_struct *signal = task->signal;
	unsigned long flags;
	unsigned int seq;

	rcu_read_lock();
	seq = read_seqbegin(&signal->stats_lock);
	pm_add_group(task, sums);
	if (read_seqretry(&signal->stats_lock, seq)) {
		read_seqlock_excl_irqsave(&signal->stats_lock, flags);
		pm_add_group(task, sums);
		read_sequnlock_excl_irqrestore(&signal->stats_lock, flags);
	}
	rcu_read_unlock();
	pm_adjust_times(&signal->prev_cputime, sums);
}

#endif
