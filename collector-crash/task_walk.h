/* SPDX-License-Identifier: MIT */
/*
 * Processes and their threads. crash 8.0.2 sees only two tasks of a 6.1 kernel, so the lists are
 * followed here: that of processes from init_task, and that of each process's threads.
 */
#ifndef PM_TASK_WALK_H
#define PM_TASK_WALK_H

#include "emit/records.h"
#include "image.h"

/* PID_MAX_LIMIT, the most tasks that a kernel has. */
#define PM_MAX_TASKS 4194304u

struct pm_task_entry {
	__u64 at;	/* address of the task_struct */
	__u64 mm;	/* address of the address space; 0: none */
	__u32 pid, tgid;
};

/* In the order of the snapshot: by process, the leader first, the others by their ids. */
struct pm_tasks {
	struct pm_task_entry *entries;
	size_t n, room;
};

/* -ENOMEM, -EINTR, or -ENODATA: the dump has no list of tasks. */
int pm_find_tasks(struct pm_image *image, struct pm_tasks *tasks);
void pm_free_tasks(struct pm_tasks *tasks);

/* The names in a T: line: TASK_COMM_LEN and PATH_MAX bytes. */
struct pm_task_names {
	char comm[17];
	char cgroup[4096];
};

/*
 * Facts of a T: line; the record points into names. group: the process's tasks, of which task is
 * one.
 */
void pm_task_facts(struct pm_image *image, const struct pm_task_entry *task, const struct pm_task_entry *group,
		   size_t n, struct pm_task *record, struct pm_task_names *names);

#endif
