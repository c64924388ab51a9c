/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of each task that had a page fault: a row each, in a table whose size is fixed when
 * the module is loaded. pm_fault_table_count() is called where nothing may sleep or be allocated;
 * its work is bounded by the ways of one set.
 */
#ifndef PM_FAULT_TABLE_H
#define PM_FAULT_TABLE_H

#include <linux/sched.h>
#include <linux/time64.h>
#include <linux/types.h>

#define PM_FEWEST_FAULT_ROWS 32u
#define PM_MAX_FAULT_ROWS 65536u

/* One fault that the kernel has counted, and the state of the task after it. */
struct pm_fault {
	pid_t pid;		/* as the initial namespace has it */
	u64 start_time;		/* of the task: together with pid it is nobody else's, ever */
	const char *comm;	/* TASK_COMM_LEN bytes */
	time64_t at;
	unsigned long vm_pages;
	unsigned long rss_pages;
};

struct pm_fault_row {
	u64 order;		/* 0 for the first row that was made */
	u64 start_time;
	u64 count;
	time64_t first;
	time64_t last;
	unsigned long vm_pages;	/* this, rss_pages and comm: as at the last fault */
	unsigned long rss_pages;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

/*
 * entries: a power of two from PM_FEWEST_FAULT_ROWS to PM_MAX_FAULT_ROWS. -ENOMEM when there is not
 * enough.
 */
int pm_fault_table_init(unsigned int entries);
void pm_fault_table_exit(void);

/*
 * Counts the fault, or counts that it could not be counted. Not for interrupts: what they interrupt
 * may hold a lock.
 */
void pm_fault_table_count(const struct pm_fault *fault);

/* Copies at most this many rows, in no order, and returns how many. May sleep. */
size_t pm_fault_table_copy(struct pm_fault_row *rows, size_t most);

/*
 * Faults of tasks for which there was no row. Like the next, it may be asked for when there is no
 * table.
 */
unsigned long pm_fault_table_overflow(void);

/* Rows of tasks that had ended, given to others. */
unsigned long pm_fault_table_forgotten(void);

#endif
