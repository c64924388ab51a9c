// SPDX-License-Identifier: GPL-2.0-only
/* The numbers of a T: line, the same as in /proc/PID/task/TID/stat and /proc/PID/stat. */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/sched/cputime.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/user_namespace.h>

#include "kernel/group_sums.h"
#include "task_walk.h"

/* ns to 1/USER_HZ s */
static __u64 ticks(u64 ns)
{
	return div_u64(ns, NSEC_PER_SEC / USER_HZ);
}

static void group_facts(struct task_struct *leader, struct pm_task *record)
{
	struct pm_group_sums sums;

	pm_sum_group(leader, &sums);
	record->group_min_flt = sums.min_flt;
	record->group_maj_flt = sums.maj_flt;
	record->group_utime = ticks(sums.utime);
	record->group_stime = ticks(sums.stime);
}

#ifdef CONFIG_CGROUPS
static bool on_unified(const struct cgroup *cgroup)
{
	return cgroup->root == &cgrp_dfl_root;
}

/*
 * Returns the cgroup in the unified hierarchy, unless the task is at its root and the memory
 * controller has its own hierarchy. Called under RCU.
 */
static struct cgroup *memory_cgroup(struct task_struct *task)
{
	struct cgroup *unified = task_dfl_cgroup(task);

#ifdef CONFIG_MEMCG
	struct cgroup *own = task_css(task, memory_cgrp_id)->cgroup;

	if (!cgroup_parent(unified) && !on_unified(own))
		return own;
#endif
	return unified;
}

/*
 * Returns the cgroup with a reference, because making its path takes cgroup_mutex. Returns NULL if
 * the cgroup is being removed.
 */
static struct cgroup *get_memory_cgroup(struct task_struct *task)
{
	struct cgroup *cgroup;

	rcu_read_lock();
	cgroup = memory_cgroup(task);
	if (!cgroup_tryget(cgroup))
		cgroup = NULL;
	rcu_read_unlock();
	return cgroup;
}
#endif

/*
 * As in /proc/PID/cgroup: relative to the reader's namespace, and marked if the cgroup was removed.
 */
static struct pm_text cgroup_path_of(struct task_struct *task, char *path)
{
	struct pm_text text = { path, 0 };

#ifdef CONFIG_CGROUPS
	struct cgroup *cgroup = get_memory_cgroup(task);
	int length;

	if (!cgroup)
		return text;
	length = cgroup_path_ns(cgroup, path, PATH_MAX, current->nsproxy->cgroup_ns);
	if (length < 0 || length >= PATH_MAX)
		path[0] = '\0';
	if (on_unified(cgroup) && !(cgroup->self.flags & CSS_ONLINE))
		strlcat(path, " (deleted)", PATH_MAX);
	cgroup_put(cgroup);
	text.len = strlen(path);
#endif
	return text;
}

/* Faults of waited-for children. All threads of a process share the sums. */
static void child_facts(struct task_struct *task, struct pm_task *record)
{
	record->cmin_flt = task->signal->cmin_flt;
	record->cmaj_flt = task->signal->cmaj_flt;
}

void pm_task_facts(struct task_struct *task, const struct pm_process *process,
		   struct pm_task *record, struct pm_task_names *names)
{
	u64 utime, stime;

	memset(record, 0, sizeof(*record));
	get_task_comm(names->comm, task);
	record->comm.at = names->comm;
	record->comm.len = strnlen(names->comm, TASK_COMM_LEN);
	record->pid = task->pid;
	record->mm = READ_ONCE(task->mm) && !(task->flags & PF_KTHREAD) ? process->mm_id : 0;
	record->cpu = task_cpu(task);
	record->min_flt = task->min_flt;
	record->maj_flt = task->maj_flt;
	child_facts(task, record);
	task_cputime_adjusted(task, &utime, &stime);
	record->utime = ticks(utime);
	record->stime = ticks(stime);
	record->tgid = task->tgid;
	record->start_time = ticks(task->start_boottime);
	record->ppid = task_ppid_nr(task);
	record->uid = from_kuid_munged(current_user_ns(), task_uid(task));
	record->is_leader = task->pid == process->tgid;
	if (record->is_leader) {
		group_facts(task, record);
		record->cgroup = cgroup_path_of(task, names->cgroup);
	}
}
