/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A ring of records for each processor, and the one reader of all. What finds no room is counted;
 * the numbers of records go on, so that a gap in them is a loss.
 */
#ifndef PM_PAGING_RING_H
#define PM_PAGING_RING_H

#include <linux/poll.h>
#include <linux/types.h>

#include "emit/paging_record.h"

#define PM_FEWEST_RING_RECORDS 16u
#define PM_MAX_RING_RECORDS (1u << 20)	/* 88 MiB a processor */

void pm_rings_init(void);

/*
 * Empty rings of so many records, a power of two, for each processor that is online, and for each
 * that comes until pm_rings_free(). Numbers begin anew. -ENOMEM, or why processors cannot be waited
 * for. Nobody puts records while these two are called.
 */
int pm_rings_new(unsigned int records);
void pm_rings_free(void);

/*
 * For any task, with interrupts as they are, never in an interrupt. Number and processor are given
 * here.
 */
void pm_rings_put(struct pm_paging_record *record);

/*
 * The reader's, one call at a time: whole records, as many as fit. Bytes, 0 when there is nothing,
 * -EFAULT.
 */
ssize_t pm_rings_read(char __user *to, size_t length);

/* 0: there is something. -ERESTARTSYS: a signal came first. */
int pm_rings_wait(void);
__poll_t pm_rings_poll(struct file *file, struct poll_table_struct *table);

/* Since the module was loaded. */
unsigned long pm_rings_lost(void);

#endif
