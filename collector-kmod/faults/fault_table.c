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
 * A row may be in one set only, so a fault looks at no more than these, whose pids are one cache
 * line. 16 ways are enough to fill the table well: pids are handed out in sequence, and a
 * multiplicative hash spreads a sequence evenly. Were they random, a table half full of living
 * tasks would have no room for one in a thousand.
 */
#define WAYS 16

struct fault_set {
	/*
	 * Raw, because PREEMPT_RT must not sleep in a probe; interrupts stay on, because only tasks
	 * have page faults that are handled. Preemption is off while it is held, so no other fault
	 * comes in between on this processor.
	 */
	raw_spinlock_t lock;
	unsigned int used;	/* ways that have a row, from 0 on */
	unsigned long full_at;	/* the jiffy in which all tasks of these rows were last found alive */
	pid_t pid[WAYS] ____cacheline_aligned;
	struct pm_fault_row row[WAYS];
} ____cacheline_aligned;

static struct fault_set *sets;
static unsigned int sets_log2;		/* their number is a power of two */
static atomic64_t rows_made = ATOMIC64_INIT(0);
static atomic_long_t overflow = ATOMIC_LONG_INIT(0);
static atomic_long_t forgotten = ATOMIC_LONG_INIT(0);

int pm_fault_table_init(unsigned int entries)
{
	unsigned int i;

	BUILD_BUG_ON(PM_FEWEST_FAULT_ROWS < 2 * WAYS);	/* hash_32() wants at least one bit */
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

/* Under RCU. A first thread that has ended is there until the last of its process has. */
static bool is_alive(const struct pm_fault_row *row)
{
	const struct task_struct *task = pid_task(find_pid_ns(row->pid, &init_pid_ns), PIDTYPE_PID);

	return task && task->start_time == row->start_time;
}

/*
 * Among the rows of tasks that have ended, the one whose last fault is the longest ago. A daemon
 * may sleep for days without a fault while commands come and go by the thousand: to forget what was
 * least recently updated, whoever it is, would forget just the daemon.
 */
static int find_ended(const struct fault_set *set)
{
	int found = -1;
	int i;

	rcu_read_lock();
	for (i = 0; i < WAYS; i++)
		if ((found < 0 || set->row[i].last < set->row[found].last) && !is_alive(&set->row[i]))
			found = i;
	rcu_read_unlock();
	return found;
}

/*
 * The place for a new row, -1 without one. Tasks that find none come back at their next fault; they
 * look for an ended one at most once in a jiffy.
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
		atomic_long_inc(&forgotten);
	return place;
}

/* Once for each task: kept out of the way of the other faults. */
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
		 * While another thread gives it a new name, some of both: its last byte is 0 all
		 * the time.
		 */
		memcpy(row->comm, fault->comm, TASK_COMM_LEN);
	} else {
		atomic_long_inc(&overflow);
	}
	raw_spin_unlock(&set->lock);
}

size_t pm_fault_table_copy(struct pm_fault_row *rows, size_t most)
{
	size_t n = 0;
	unsigned int i;

	for (i = 0; i < 1u << sets_log2; i++) {
		struct fault_set *set = &sets[i];
		size_t here;

		raw_spin_lock(&set->lock);
		here = min_t(size_t, set->used, most - n);
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

unsigned long pm_fault_table_forgotten(void)
{
	return atomic_long_read(&forgotten);
}
