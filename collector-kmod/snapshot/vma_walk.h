/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Areas of an address space: their facts, and steps through their pages with the locks held for one
 * step only.
 */
#ifndef PM_VMA_WALK_H
#define PM_VMA_WALK_H

#include <linux/limits.h>
#include <linux/mm_types.h>

#include "pte_walk.h"
#include "emit/records.h"

/*
 * One area as it was found. It may change or go before its pages are read: then those read are
 * fewer.
 */
struct pm_area {
	struct pm_vma record;	/* unit: in name */
	struct file *file;	/* a reference, until pm_name_area(); NULL: none */
	unsigned long start, end;
	char name[PATH_MAX];
};

/*
 * Finds the first area that ends above from, and reads as much of its page tables as one step may
 * (pm_pte_walk), under one hold of mmap_lock: all facts of the pages of an area of at most PM_STEP
 * pages, the counts of a longer one. Where *reached is below area->end, the next steps go through
 * the rest by pm_walk_area().
 *
 * 0; -ENOENT: no more areas; -ESRCH: the address space is gone; -EINTR: a signal came while waiting
 * for mmap_lock.
 */
int pm_find_area(struct mm_struct *mm, unsigned long from, struct pm_area *area, struct pm_stretch *found,
		 unsigned long *reached);

/*
 * One more step through the pages of the area's range, whatever is mapped there now. Errors as
 * above, but -ENOENT.
 */
int pm_walk_area(struct mm_struct *mm, const struct pm_area *area, enum pm_want want, struct pm_stretch *found,
		 unsigned long *reached);

/*
 * Makes the name of the area that was found: may sleep, takes locks of file systems. Gives the file
 * back.
 */
void pm_name_area(struct pm_area *area);

#endif
