// SPDX-License-Identifier: GPL-2.0-only
#include "paging_task.h"

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>

/*
 * A task can be in one set only, which bounds the search. The task pointers of a set share one
 * cache line.
 */
#define WAYS 8

struct set {
	struct task_struct *task[WAYS];	/* NULL: free */
	struct pm_swap_in *doing[WAYS];
} ____cacheline_aligned;

static struct set *sets;
static unsigned int sets_log2;

/*
 * Allocates four times as many entries as requested. With the requested number of tasks, about one
 * set in some hundred thousand is full.
 */
int pm_paging_tasks_init(unsigned int tasks)
{
	int tasks_log2 = order_base_2(tasks);

	sets_log2 = max(tasks_log2 - 1, 1);
	sets = kvcalloc(1u << sets_log2, sizeof(*sets), GFP_KERNEL);
	return sets ? 0 : -ENOMEM;
}

void pm_paging_tasks_exit(void)
{
	kvfree(sets);
	sets = NULL;
}

static struct set *set_of_current(void)
{
	return &sets[hash_ptr(current, sets_log2)];
}

bool pm_paging_task_begin(struct pm_swap_in *doing)
{
	struct set *set = set_of_current();
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (!READ_ONCE(set->task[i]) && !cmpxchg(&set->task[i], NULL, current)) {
			set->doing[i] = doing;
			return true;
		}
	return false;
}

void pm_paging_task_end(const struct pm_swap_in *doing)
{
	struct set *set = set_of_current();
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (READ_ONCE(set->task[i]) == current && set->doing[i] == doing) {
			smp_store_release(&set->task[i], NULL);
			return;
		}
}

struct pm_swap_in *pm_paging_task(void)
{
	const struct set *set = set_of_current();
	unsigned int i;

	for (i = 0; i < WAYS; i++)
		if (READ_ONCE(set->task[i]) == current)
			return set->doing[i];
	return NULL;
}
