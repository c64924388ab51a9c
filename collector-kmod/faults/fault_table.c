// SPDX-License-Identifier: GPL-2.0-only
#include "fault_table.h"

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/string.h>

/*
 * A row can be in one set only, so a fault searches at most this many rows. Their pids share one
 * cache line. 16 ways fill the table well: pids are assigned in sequence, and a multiplicative hash
 * spreads a sequence evenly. With random pids, a table half full of live tasks would have no room
 * for one task in a thousand.
 */
#define WAYS 16

struct fault_set {
	/*
	 * A raw lock, because a probe must not sleep on PREEMPT_RT. Interrupts stay on, because
	 * only tasks have page faults that are handled. Preemption is off while the lock is held,
	 * so no other fault can run on this CPU.
	 */
	raw_spinlock_t lock;
	unsigned int used;	/* ways in use, from 0 on */
	unsigned long full_at;	/* the jiffy in which all tasks of the set were last found alive */
	pid_t pid[WAYS] ____cacheline_aligned;
	struct pm_fault_row row[WAYS];
} ____cacheline_aligned;

static struct fault_set *sets;
static unsigned int sets_log2;		/* the number of sets is a power of two */
static atomic64_t rows_made = ATOMIC64_INIT(0);
static atomic_long_t overflow = ATOMIC_LONG_INIT(0);
static atomic_long_t reused = ATOMIC_LONG_INIT(0);

int pm_fault_table_init(unsigned int entries)
{
	unsigned int i;

	BUILD_BUG_ON(PM_MIN_FAULT_ROWS < 2 * WAYS);	/* hash_32() requires at least one bit */
	sets_log2 = ilog2(entries / WAYS);
	sets = kvcalloc(1u << sets_log2, sizeof(*sets), GFP_KERNEL);
	if (!sets)
		return -ENOMEM;
	for (i = 0; i < 1u << sets_log2; i++)
		raw_spin_lock_init(&sets[i].lock);
	return 0;
}

void pm_fault_table_exit(void)
{
	kvfree(sets);
	sets = NULL;
}

static struct pm_fault_row *find_row(struct fault_set *set, const struct pm_fault *fault)
{
	unsigned int i;

	for (i = 0; i < set->used; i++)
		if (set->pid[i] == fault->pid && set->row[i].start_time == fault->start_time)
			return &set->row[i];
	return NULL;
}

/*
 * Called under RCU. A thread group leader that has exited is still found until its last thread
 * exits.
 */
static bool is_alive(const struct pm_fault_row *row)
{
	const struct task_struct *task = pid_task(find_pid_ns(row->pid, &init_pid_ns), PIDTYPE_PID);

	return task && task->start_time == row->start_time;
}

/*
 * Finds the row whose last fault is oldest, among the rows of tasks that have exited. The least
 * recently updated row of any task would be a bad choice: a daemon may sleep for days without a
 * fault while thousands of commands come and go.
 */
static int find_ended(const struct fault_set *set)
{
	int found = -1;
	int i;

	rcu_read_lock();
	for (i = 0; i < WAYS; i++)
		if ((found < 0 || set->row[i].last < set->row[found].last) &&
		    !is_alive(&set->row[i]))
			found = i;
	rcu_read_unlock();
	return found;
}

/*
 * Returns the index for a new row, or -1 if the set is full. A task without a row tries again at
 * its next fault. The set is searched for rows of exited tasks at most once per jiffy.
 */
static int find_place(struct fault_set *set)
{
	int place;

	if (set->used < WAYS)
		return set->used++;
	if (set->full_at == jiffies)
		return -1;
	place = find_ended(set);
	if (place < 0)
		set->full_at = jiffies;
	else
		atomic_long_inc(&reused);
	return place;
}

/* Runs once per task, so it is kept out of the fast path (noinline). */
static noinline struct pm_fault_row *make_row(struct fault_set *set, const struct pm_fault *fault)
{
	int place = find_place(set);
	struct pm_fault_row *row;

	if (place < 0)
		return NULL;
	set->pid[place] = fault->pid;
	row = &set->row[place];
	row->order = atomic64_inc_return(&rows_made) - 1;
	row->pid = fault->pid;
	row->start_time = fault->start_time;
	row->first = fault->at;
	row->count = 0;
	return row;
}

void pm_fault_table_count(const struct pm_fault *fault)
{
	struct fault_set *set = &sets[hash_32(fault->pid, sets_log2)];
	struct pm_fault_row *row;

	raw_spin_lock(&set->lock);
	row = find_row(set, fault);
	if (!row)
		row = make_row(set, fault);
	if (row) {
		row->count++;
		row->last = fault->at;
		row->vm_pages = fault->vm_pages;
		row->rss_pages = fault->rss_pages;
		/*
		 * If another thread is changing the name, the copy may mix both names. The last
		 * byte is always 0.
		 */
		memcpy(row->comm, fault->comm, TASK_COMM_LEN);
	} else {
		atomic_long_inc(&overflow);
	}
	raw_spin_unlock(&set->lock);
}

size_t pm_fault_table_copy(struct pm_fault_row *rows, size_t limit)
{
	size_t n = 0;
	unsigned int i;

	for (i = 0; i < 1u << sets_log2; i++) {
		struct fault_set *set = &sets[i];
		size_t here;

		raw_spin_lock(&set->lock);
		here = min_t(size_t, set->used, limit - n);
		memcpy(rows + n, set->row, here * sizeof(*rows));
		raw_spin_unlock(&set->lock);
		n += here;
		cond_resched();
	}
	return n;
}

unsigned long pm_fault_table_overflow(void)
{
	return atomic_long_read(&overflow);
}

unsigned long pm_fault_table_reused(void)
{
	return atomic_long_read(&reused);
}
