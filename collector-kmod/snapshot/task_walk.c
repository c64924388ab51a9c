// SPDX-License-Identifier: GPL-2.0-only
#include "task_walk.h"

#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/siphash.h>

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

/* The threads of a process share an mm. Those that have exited have none. Called under RCU. */
static bool has_mm(struct task_struct *leader, struct mm_struct *mm)
{
	struct task_struct *thread;
	struct mm_struct *own;

	for_each_thread(leader, thread) {
		own = READ_ONCE(thread->mm);
		if (own)
			return own == mm && !(thread->flags & PF_KTHREAD);
	}
	return false;
}

/*
 * Whether other processes may share the address space. The caller itself holds one mm_users
 * reference. Called under RCU.
 */
static bool may_be_shared(struct mm_struct *mm, struct task_struct *leader)
{
	struct task_struct *thread;
	int n = 0;

	for_each_thread(leader, thread)
		n += READ_ONCE(thread->mm) == mm;
	return atomic_read(&mm->mm_users) - 1 > n;
}

/*
 * Looks at all processes. The search is also made, without effect, if other tasks hold a temporary
 * reference to the mm. Called under RCU.
 */
static void find_others(struct pm_process *process, struct task_struct *leader, u64 began,
			u64 *oldest)
{
	struct task_struct *other;

	for_each_process(other) {
		if (other == leader || !has_mm(other, process->mm))
			continue;
		process->is_shared = true;
		*oldest = min(*oldest, other->start_boottime);
		if (other->tgid < leader->tgid && other->start_boottime <= began)
			process->has_areas = false;
	}
}

static unsigned int slot_of(const struct mm_struct *mm)
{
	return hash_ptr(mm, ilog2(PM_SHARED_KNOWN));
}

/*
 * Decides which process lists the VMAs, and computes the id of the address space. Of all processes
 * that share it (vfork before exec, CLONE_VM), the one with the lowest id lists the VMAs. Processes
 * that started after the snapshot began do not count: ids wrap around, so the walk may never reach
 * them. The id is not derived from the mm's address alone, because the memory of an mm may be
 * reused within a snapshot. The start time of the oldest process that shares the mm is included.
 */
static void identify(struct pm_task_walk *walk, struct pm_process *process,
		     struct task_struct *leader)
{
	struct mm_struct *mm = process->mm;
	unsigned int slot = slot_of(mm);
	u64 oldest = leader->start_boottime;

	process->has_areas = walk->shared[slot].mm != mm;
	if (!process->has_areas) {
		process->mm_id = walk->shared[slot].id;
		return;
	}
	rcu_read_lock();
	if (may_be_shared(mm, leader))
		find_others(process, leader, walk->began, &oldest);
	rcu_read_unlock();
	process->mm_id = siphash_2u64((unsigned long)mm, oldest, &mm_secret) | 1;
}

void pm_task_walk_end(struct pm_task_walk *walk)
{
	unsigned int i;

	for (i = 0; i < PM_SHARED_KNOWN; i++)
		if (walk->shared[i].mm)
			mmdrop(walk->shared[i].mm);
}

bool pm_next_process(struct pm_task_walk *walk, struct pm_process *process)
{
	struct task_struct *leader;

	memset(process, 0, sizeof(*process));
	do {
		leader = next_leader(&walk->next, &process->pid);
		if (!leader && !walk->next)
			return false;
		cond_resched();
	} while (!leader);
	process->tgid = pid_nr(process->pid);
	process->mm = group_mm(leader);
	if (process->mm) {
		identify(walk, process, leader);
		mmgrab(process->mm);
		mmput_async(process->mm);
	}
	put_task_struct(leader);
	return true;
}

void pm_release_process(struct pm_task_walk *walk, struct pm_process *process, bool is_listed)
{
	unsigned int slot = slot_of(process->mm);

	if (process->is_shared && is_listed) {
		swap(walk->shared[slot].mm, process->mm);
		walk->shared[slot].id = process->mm_id;
	}
	if (process->mm)
		mmdrop(process->mm);
	put_pid(process->pid);
	memset(process, 0, sizeof(*process));
}

struct task_struct *pm_leader(const struct pm_process *process)
{
	return get_pid_task(process->pid, PIDTYPE_TGID);
}

/* Finds the ids of threads in [first, first + PM_ID_RANGE), and the lowest one after that. */
static void read_ids(struct pm_process *process, pid_t first)
{
	struct task_struct *leader, *thread;

	if (process->first_id)
		bitmap_zero(process->ids, process->n_bits);
	process->first_id = first;
	process->next_id = 0;
	process->n_bits = 0;
	rcu_read_lock();
	leader = pid_task(process->pid, PIDTYPE_TGID);
	if (leader) {
		for_each_thread(leader, thread) {
			pid_t id = thread->pid;

			if (thread == leader || id < first)
				continue;
			if (id - first < PM_ID_RANGE) {
				__set_bit(id - first, process->ids);
				process->n_bits = max_t(unsigned int, process->n_bits,
							id - first + 1);
			} else if (!process->next_id || id < process->next_id) {
				process->next_id = id;
			}
		}
	}
	rcu_read_unlock();
}

/* Stores the ids of the range above `after`, at most `room`. Returns their number. */
static size_t take_ids(const struct pm_process *process, pid_t after, pid_t *ids, size_t room)
{
	unsigned long bit = after < process->first_id ? 0 : after + 1 - process->first_id;
	size_t n;

	for (n = 0; n < room; n++, bit++) {
		bit = find_next_bit(process->ids, process->n_bits, bit);
		if (bit >= process->n_bits)
			break;
		ids[n] = process->first_id + bit;
	}
	return n;
}

size_t pm_thread_ids(struct pm_process *process, pid_t after, pid_t *ids, size_t room)
{
	size_t n;

	if (!process->first_id)
		read_ids(process, after + 1);
	for (;;) {
		n = take_ids(process, after, ids, room);
		if (n || !process->next_id)
			return n;
		cond_resched();
		read_ids(process, process->next_id);
	}
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
