/* SPDX-License-Identifier: MIT */
/*
 * Processes and their threads. crash 8.0.2 finds only two tasks of a 6.1 kernel, so the lists are
 * walked here: the list of processes from init_task on, and the list of each process's threads.
 */
#ifndef PM_TASK_WALK_H
#define PM_TASK_WALK_H

#include "emit/records.h"
#include "kernel-image/image.h"

/* PID_MAX_LIMIT, the maximum number of tasks. */
#define PM_MAX_TASKS 4194304u

struct pm_task_entry {
	__u64 at;	/* address of the task_struct */
	__u64 mm;	/* address of the address space; 0: none */
	__u32 pid, tgid;
};

/* In the order of the snapshot: by process, with the leader first and the other threads by id. */
struct pm_tasks {
	struct pm_task_entry *entries;
	size_t n, room;
};

/* Returns 0, -ENOMEM, -EINTR, or -ENODATA if the dump has no list of tasks. */
int pm_find_tasks(struct pm_image *image, struct pm_tasks *tasks);
void pm_free_tasks(struct pm_tasks *tasks);

/* Buffers for the names in a T: line: TASK_COMM_LEN and PATH_MAX bytes. */
struct pm_task_names {
	char comm[17];
	char cgroup[4096];
};

/*
 * Fills in the record of a T: line, which points into names. group: all tasks of the process,
 * including task.
 */
void pm_task_facts(struct pm_image *image, const struct pm_task_entry *task,
		   const struct pm_task_entry *group, size_t n, struct pm_task *record,
		   struct pm_task_names *names);

#endif
