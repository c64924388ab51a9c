// SPDX-License-Identifier: GPL-2.0-only
#include "task_walk.h"

#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/siphash.h>
#include <linux/sort.h>

#include "kernel/compat.h"

/* Process ids visited per RCU section. */
#define PIDS_AT_ONCE 256

static siphash_key_t mm_secret;

void pm_task_walk_init(void)
{
	get_random_bytes(&mm_secret, sizeof(mm_secret));
}

/*
 * Returns the leader with the lowest id among the next PIDS_AT_ONCE ids from *next on. If it
 * returns NULL, call again, unless *next is 0 (no more processes).
 */
static struct task_struct *next_leader(pid_t *next, struct pid **pid)
{
	struct task_struct *leader = NULL;
	int looked;

	rcu_read_lock();
	for (looked = 0; looked < PIDS_AT_ONCE && !leader; looked++) {
		*pid = pm_find_ge_pid(*next);
		*next = *pid ? pid_nr(*pid) + 1 : 0;
		if (!*pid)
			break;
		leader = pid_task(*pid, PIDTYPE_TGID);
	}
	if (leader) {
		get_task_struct(leader);
		get_pid(*pid);
	}
	rcu_read_unlock();
	return leader;
}

/* Returns the mm of the first thread that still has one, with a reference to mm_users. */
static struct mm_struct *group_mm(struct task_struct *leader)
{
	struct mm_struct *mm = NULL;
	struct task_struct *thread;

	rcu_read_lock();
	for_each_thread(leader, thread) {
		mm = get_task_mm(thread);
		if (mm)
			break;
	}
	rcu_read_unlock();
	return mm;
}

static unsigned int threads_with(struct task_struct *leader, struct mm_struct *mm)
{
	struct task_struct *thread;
	unsigned int n = 0;

	for_each_thread(leader, thread)
		n += READ_ONCE(thread->mm) == mm && !(thread->flags & PF_KTHREAD);
	return n;
}

/*
 * Whether other processes may share the address space. The caller itself holds one mm_users
 * reference. Called under RCU.
 */
static bool may_be_shared(struct mm_struct *mm, struct task_struct *leader)
{
	return atomic_read(&mm->mm_users) - 1 > threads_with(leader, mm);
}

/*
 * Decides which process lists the VMAs, and computes the id of the address space. Of all processes
 * that share it (vfork before exec, CLONE_VM), the one with the lowest id lists the VMAs. Processes
 * that started after the snapshot began do not count: ids wrap around, so the walk may never reach
 * them. The id is not derived from the mm's address alone, because the memory of an mm may be
 * reused within a snapshot. The start time of the oldest process that shares the mm is included.
 *
 * The search is also made, without effect, if other tasks hold a temporary reference to the mm.
 */
static void identify(struct pm_process *process, struct mm_struct *mm, struct task_struct *leader,
		     u64 since)
{
	u64 oldest = leader->start_boottime;
	struct task_struct *other;

	process->has_areas = true;
	rcu_read_lock();
	if (may_be_shared(mm, leader)) {
		for_each_process(other) {
			if (other == leader || !threads_with(other, mm))
				continue;
			oldest = min(oldest, other->start_boottime);
			if (other->tgid < leader->tgid && other->start_boottime <= since)
				process->has_areas = false;
		}
	}
	rcu_read_unlock();
	process->mm_id = siphash_2u64((unsigned long)mm, oldest, &mm_secret) | 1;
}

bool pm_next_process(pid_t *next, u64 since, struct pm_process *process)
{
	struct task_struct *leader;
	struct mm_struct *mm;

	memset(process, 0, sizeof(*process));
	do {
		leader = next_leader(next, &process->pid);
		if (!leader && !*next)
			return false;
		cond_resched();
	} while (!leader);
	process->tgid = pid_nr(process->pid);
	mm = group_mm(leader);
	if (mm) {
		identify(process, mm, leader, since);
		mmgrab(mm);
		process->mm = mm;
		mmput_async(mm);
	}
	put_task_struct(leader);
	return true;
}

void pm_release_process(struct pm_process *process)
{
	if (process->mm)
		mmdrop(process->mm);
	put_pid(process->pid);
	memset(process, 0, sizeof(*process));
}

struct task_struct *pm_leader(const struct pm_process *process)
{
	return get_pid_task(process->pid, PIDTYPE_TGID);
}

/* Stores ids of threads in (after, to], at most `room`. Returns the total number in the range. */
static size_t threads_between(const struct pm_process *process, pid_t after, pid_t to, pid_t *ids,
			      size_t room)
{
	struct task_struct *leader, *thread;
	size_t n = 0;

	rcu_read_lock();
	leader = pid_task(process->pid, PIDTYPE_TGID);
	if (leader) {
		for_each_thread(leader, thread) {
			if (thread == leader || thread->pid <= after || thread->pid > to)
				continue;
			if (n < room)
				ids[n] = thread->pid;
			n++;
		}
	}
	rcu_read_unlock();
	return n;
}

static int compare_ids(const void *a, const void *b)
{
	return *(const pid_t *)a - *(const pid_t *)b;
}

size_t pm_thread_ids(const struct pm_process *process, pid_t after, pid_t *ids, size_t room)
{
	pid_t to = PID_MAX_LIMIT;
	size_t n;

	/*
	 * The kernel's list is not sorted by id. A range with more threads than `room` is halved,
	 * and an empty range is skipped.
	 */
	for (;; cond_resched()) {
		n = threads_between(process, after, to, ids, room);
		if (n > room) {
			to = after + (to - after) / 2;
		} else if (n == 0 && to < PID_MAX_LIMIT) {
			after = to;
			to = PID_MAX_LIMIT;
		} else {
			break;
		}
	}
	sort(ids, n, sizeof(*ids), compare_ids, NULL);
	return n;
}

struct task_struct *pm_thread(const struct pm_process *process, pid_t tid)
{
	struct task_struct *thread;

	rcu_read_lock();
	thread = pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID);
	if (thread && task_tgid(thread) != process->pid)
		thread = NULL;
	if (thread)
		get_task_struct(thread);
	rcu_read_unlock();
	return thread;
}
