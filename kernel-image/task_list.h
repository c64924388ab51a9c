/* SPDX-License-Identifier: MIT */
/*
 * Processes and their threads. crash 8.0.2 finds only two tasks of a 6.1 kernel, so the lists are
 * walked here: the list of processes from init_task on, and the list of each process's threads.
 */
#ifndef PM_TASK_LIST_H
#define PM_TASK_LIST_H

#include "image.h"

/* PID_MAX_LIMIT, the maximum number of tasks. */
#define PM_MAX_TASKS 4194304u

/* Ticks of times in T: and O: lines: USER_HZ is 100 on all supported machines. */
#define PM_NS_A_TICK (1000000000u / 100)

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

#endif
