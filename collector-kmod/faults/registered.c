// SPDX-License-Identifier: GPL-2.0-only
#include "registered.h"

#include <linux/err.h>
#include <linux/pid.h>
#include <linux/sched/cputime.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "kernel/group_sums.h"

bool pm_sum_groups;

static void read_usage(struct task_struct *task, struct pm_usage *usage)
{
	struct pm_group_sums sums;
	u64 utime, stime;

	if (pm_sum_groups) {
		pm_sum_group(task, &sums);
		*usage = (struct pm_usage){ sums.min_flt, sums.maj_flt, sums.utime + sums.stime };
		return;
	}
	task_cputime_adjusted(task, &utime, &stime);
	*usage = (struct pm_usage){READ_ONCE(task->min_flt), READ_ONCE(task->maj_flt),
				   utime + stime};
}

/*
 * A process has not ended when only its thread group leader has exited. Must be called before the
 * counters are read: an ended process has counted its last fault before (exit_notify() in
 * kernel/exit.c).
 */
static bool is_over(struct task_struct *task)
{
	return smp_load_acquire(&task->exit_state) && !delay_group_leader(task);
}

struct pid *pm_find_registrable(pid_t nr)
{
	struct pid *pid = find_vpid(nr);
	struct task_struct *task = pid_task(pid, PIDTYPE_PID);

	return task && pm_sum_groups ? task_tgid(task) : pid;
}

static int hold(struct pm_registered *process, pid_t nr)
{
	struct task_struct *task;
	struct pid *pid;
	int error = -ESRCH;

	rcu_read_lock();
	pid = pm_find_registrable(nr);
	task = pid_task(pid, PIDTYPE_PID);
	if (task && !is_over(task)) {
		process->task = get_task_struct(task);
		process->pid = get_pid(pid);
		error = 0;
	}
	rcu_read_unlock();
	return error;
}

struct pm_registered *pm_registered_new(pid_t nr, kuid_t user)
{
	struct pm_registered *process = kzalloc(sizeof(*process), GFP_KERNEL_ACCOUNT);
	int error;

	if (!process)
		return ERR_PTR(-ENOMEM);
	error = hold(process, nr);
	if (error) {
		kfree(process);
		return ERR_PTR(error);
	}
	process->user = user;
	read_usage(process->task, &process->before);
	return process;
}

void pm_registered_free(struct pm_registered *process)
{
	put_task_struct(process->task);
	put_pid(process->pid);
	kfree(process);
}

bool pm_registered_is_over(const struct pm_registered *process)
{
	return is_over(process->task);
}

/*
 * A thread that calls execve() takes over the pid of the thread group leader, which exits
 * (de_thread() in fs/exec.c). The process then continues as another task. Returns false if no task
 * has the pid.
 */
static bool follow(struct pm_registered *process)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(process->pid, PIDTYPE_PID);
	if (task == process->task)
		task = NULL;
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		return false;
	put_task_struct(process->task);
	process->task = task;
	/*
	 * What the thread did before execve() counts for its old pid. Sums of a group simply
	 * continue.
	 */
	if (!pm_sum_groups)
		read_usage(task, &process->before);
	return true;
}

/*
 * The kernel may correct a task's time slightly downwards. Here the difference is never negative.
 */
static u64 grown(u64 now, u64 before)
{
	return now > before ? now - before : 0;
}

bool pm_registered_count(struct pm_registered *process, struct pm_usage *sums)
{
	const struct pm_usage before = process->before;
	bool over = is_over(process->task);
	struct pm_usage now;

	read_usage(process->task, &now);
	sums->min_flt += grown(now.min_flt, before.min_flt);
	sums->maj_flt += grown(now.maj_flt, before.maj_flt);
	sums->cpu += grown(now.cpu, before.cpu);
	process->before.min_flt = max(now.min_flt, before.min_flt);
	process->before.maj_flt = max(now.maj_flt, before.maj_flt);
	process->before.cpu = max(now.cpu, before.cpu);
	return over && !follow(process);
}
