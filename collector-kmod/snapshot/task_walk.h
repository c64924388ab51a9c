/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks processes by a cursor over process ids, and the threads of a process. Nothing is locked
 * between two calls. Only references to a struct pid and a struct mm_struct (not its pages) are
 * kept, which do not delay the exit of a process.
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
	bool has_areas;		/* false: another process that shares the mm lists the VMAs */
};

/* Creates the secret of the ids. It stays the same as long as the module is loaded. */
void pm_task_walk_init(void);

/*
 * Finds the process with the lowest id from *next on, and sets *next above it. since: when the
 * snapshot began, boot time in ns; processes that started later do not list VMAs that they share.
 * Returns false if there are no more processes.
 */
bool pm_next_process(pid_t *next, u64 since, struct pm_process *process);
void pm_release_process(struct pm_process *process);

/* Returns the leader with a reference; NULL if the process is gone. */
struct task_struct *pm_leader(const struct pm_process *process);

/*
 * Stores the lowest ids of the process's threads above `after`, at most `room`, ascending, without
 * the leader's. Returns their number; 0 if there are no more.
 */
size_t pm_thread_ids(const struct pm_process *process, pid_t after, pid_t *ids, size_t room);

/* Returns one of these threads with a reference; NULL if it is gone. */
struct task_struct *pm_thread(const struct pm_process *process, pid_t tid);

/* Buffers for the names in a T: line. */
struct pm_task_names {
	char comm[TASK_COMM_LEN];
	char cgroup[PATH_MAX];
};

/* Fills in the record of a T: line. It points into names. */
void pm_task_facts(struct task_struct *task, const struct pm_process *process,
		   struct pm_task *record, struct pm_task_names *names);

#endif
