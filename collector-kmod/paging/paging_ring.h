/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One ring of records per CPU, and a single reader of all of them. Records that do not fit are
 * counted. They still take a sequence number, so a gap in the numbers is a loss.
 */
#ifndef PM_PAGING_RING_H
#define PM_PAGING_RING_H

#include <linux/poll.h>
#include <linux/types.h>

#include "emit/paging_record.h"

#define PM_MIN_RING_RECORDS 16u
#define PM_MAX_RING_RECORDS (1u << 20)	/* 88 MiB per CPU */

/* count_missed: the number of missed calls, which the reader gets as losses. */
void pm_rings_init(unsigned long (*count_missed)(void));

/*
 * Creates an empty ring of `records` records, a power of two, for each online CPU and for each CPU
 * that comes online before pm_rings_free(). Resets sequence numbers. Returns 0, -ENOMEM, or the
 * error of cpuhp_setup_state_nocalls(). pm_rings_put() must not be called during these two
 * functions.
 */
int pm_rings_new(unsigned int records);
void pm_rings_free(void);

/*
 * Called in any task, with interrupts on or off, never in an interrupt. Sets the record's sequence
 * number and CPU.
 */
void pm_rings_put(struct pm_paging_record *record);

/*
 * Copies as many whole records as fit. The caller serializes calls. Returns the number of bytes, 0
 * if there are no records, or -EFAULT.
 */
ssize_t pm_rings_read(char __user *to, size_t length);

/* Returns 0 when records are available, -ERESTARTSYS after a signal. */
int pm_rings_wait(void);
__poll_t pm_rings_poll(struct file *file, struct poll_table_struct *table);

/* The number of lost records since the module was loaded. */
unsigned long pm_rings_lost(void);

#endif
