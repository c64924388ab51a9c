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
#include <linux/types.h>

#include "emit/records.h"

/*
 * Thread ids of a process in a range of ids. The kernel's list of threads has no order, so each
 * range takes a walk over all of them: at most 128 walks, as there are 2^22 ids.
 */
#define PM_ID_RANGE 32768

struct pm_process {
	struct pid *pid;	/* of the thread group; a reference */
	pid_t tgid;
	struct mm_struct *mm;	/* an mm_count reference; NULL: no address space */
	__u64 mm_id;		/* its identity in T: lines; 0: none */
	bool has_areas;		/* false: another process that shares the mm lists the VMAs */
	bool is_shared;		/* found by looking at all processes */
	pid_t first_id;		/* of the range; 0: no range was read */
	pid_t next_id;		/* the lowest thread id after the range; 0: none */
	unsigned int n_bits;	/* the highest thread id in the range, from its first, plus 1 */
	DECLARE_BITMAP(ids, PM_ID_RANGE);
};

/*
 * Address spaces that several processes share, and whose VMAs this snapshot already has: for the
 * other processes there is no search. Each is a reference to mm_count. A newer one may take the
 * place of another.
 */
#define PM_SHARED_KNOWN 256

struct pm_task_walk {
	pid_t next;		/* the lowest process id that may follow */
	u64 began;		/* boot time in ns */
	struct {
		struct mm_struct *mm;
		__u64 id;
	} shared[PM_SHARED_KNOWN];
};

/* Creates the secret of the ids. It stays the same as long as the module is loaded. */
void pm_task_walk_init(void);

/* Releases what a zeroed walk has collected. */
void pm_task_walk_end(struct pm_task_walk *walk);

/*
 * Finds the process with the next id. Processes that started after the walk began do not list VMAs
 * that they share. Returns false if there are no more processes.
 */
bool pm_next_process(struct pm_task_walk *walk, struct pm_process *process);
/* is_listed: the VMAs were written, or another process has done so. */
void pm_release_process(struct pm_task_walk *walk, struct pm_process *process, bool is_listed);

/* Returns the leader with a reference; NULL if the process is gone. */
struct task_struct *pm_leader(const struct pm_process *process);

/*
 * Stores the lowest ids of the process's threads above `after`, at most `room`, ascending, without
 * the leader's. Returns their number; 0 if there are no more. `after` ascends from call to call.
 */
size_t pm_thread_ids(struct pm_process *process, pid_t after, pid_t *ids, size_t room);

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
