/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes by a cursor over process ids, and the threads of one. Nothing is locked between two
 * calls, and nothing kept that would hold up the end of a process: a struct pid and a struct
 * mm_struct (not its pages) are all that is held.
 */
#ifndef PM_TASK_WALK_H
#define PM_TASK_WALK_H

#include <linux/limits.h>
#include <linux/pid.h>
#include <linux/sched.h>

#include "emit/records.h"

struct pm_process {
	struct pid *pid;	/* of the thread group; a reference */
	pid_t tgid;
	struct mm_struct *mm;	/* an mm_count reference; NULL: no address space */
	__u64 mm_id;		/* its identity in T: lines; 0: none */
	bool has_areas;		/* the areas belong to this process; else another one that shares them comes first */
};

/* The secret of the identities, for as long as the module is loaded. */
void pm_task_walk_init(void);

/*
 * Finds the process with the least id from *next on, and sets *next above it. since: when the
 * snapshot began, boot time in ns; processes that are younger do not own areas that they share.
 * False: no more.
 */
bool pm_next_process(pid_t *next, u64 since, struct pm_process *process);
void pm_release_process(struct pm_process *process);

/* The leader; NULL when the process is gone. With a reference. */
struct task_struct *pm_leader(const struct pm_process *process);

/*
 * Ids of the process's threads above after, ascending, without the leader's: the least of them, at
 * most room. 0: no more.
 */
size_t pm_thread_ids(const struct pm_process *process, pid_t after, pid_t *ids, size_t room);

/* One of them; NULL when it is gone. With a reference. */
struct task_struct *pm_thread(const struct pm_process *process, pid_t tid);

/* The names in a T: line. */
struct pm_task_names {
	char comm[TASK_COMM_LEN];
	char cgroup[PATH_MAX];
};

/* Facts of a T: line; the record points into names. */
void pm_task_facts(struct task_struct *task, const struct pm_process *process, struct pm_task *record,
		   struct pm_task_names *names);

#endif
