/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table with one row per task that had a page fault. Its size is fixed when the module is loaded.
 * pm_fault_table_count() runs in atomic context and does not allocate. Its work is bounded by the
 * number of ways per set.
 */
#ifndef PM_FAULT_TABLE_H
#define PM_FAULT_TABLE_H

#include <linux/sched.h>
#include <linux/time64.h>
#include <linux/types.h>

#define PM_MIN_FAULT_ROWS 32u
#define PM_MAX_FAULT_ROWS 65536u

/* One fault that the kernel has counted, and the state of the task after it. */
struct pm_fault {
	pid_t pid;		/* in the initial pid namespace */
	u64 start_time;		/* of the task; unique together with pid */
	const char *comm;	/* TASK_COMM_LEN bytes */
	time64_t at;
	unsigned long vm_pages;
	unsigned long rss_pages;
};

struct pm_fault_row {
	u64 order;		/* of creation, from 0 */
	u64 start_time;
	u64 count;
	time64_t first;
	time64_t last;
	unsigned long vm_pages;	/* vm_pages, rss_pages and comm: at the last fault */
	unsigned long rss_pages;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/* entries: a power of two from PM_MIN_FAULT_ROWS to PM_MAX_FAULT_ROWS. Returns 0 or -ENOMEM. */
int pm_fault_table_init(unsigned int entries);
void pm_fault_table_exit(void);

/*
 * Counts the fault, or counts it as overflow if it has no row. Must not be called from an
 * interrupt, because the interrupted code may hold a lock of the table.
 */
void pm_fault_table_count(const struct pm_fault *fault);

/* Copies at most `limit` rows, unordered, and returns their number. May sleep. */
size_t pm_fault_table_copy(struct pm_fault_row *rows, size_t limit);

/*
 * The number of faults of tasks that found no free row. This function and the next may be called
 * when the table is not allocated.
 */
unsigned long pm_fault_table_overflow(void);

/* The number of rows of exited tasks that were reused. */
unsigned long pm_fault_table_reused(void);

#endif
