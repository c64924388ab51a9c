/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks the VMAs of an address space, and their pages in steps. Locks are held for one step only.
 */
#ifndef PM_VMA_WALK_H
#define PM_VMA_WALK_H

#include <linux/limits.h>
#include <linux/mm_types.h>

#include "pte_walk.h"
#include "emit/records.h"

/*
 * One VMA as it was found. It may change or be unmapped before its pages are read; then fewer pages
 * are read.
 */
struct pm_area {
	struct pm_vma record;	/* its unit points into name */
	struct file *file;	/* a reference, until pm_name_area(); or NULL */
	unsigned long start, end;
	bool is_anonymous;	/* no file and no device */
	char name[PATH_MAX];
};

/*
 * Finds the first VMA that ends above `from`, and walks its page tables for one step (pm_pte_walk),
 * under one hold of mmap_lock. Reads all fields of the pages of a VMA of at most PM_STEP pages, and
 * the counts of a longer one. If *reached is below area->end, the rest is walked by pm_walk_area().
 *
 * Returns 0, -ENOENT (no more VMAs), -ESRCH (the address space is gone) or -EINTR (a signal arrived
 * while waiting for mmap_lock).
 */
int pm_find_area(struct mm_struct *mm, unsigned long from, struct pm_area *area,
		 struct pm_stretch *found, unsigned long *reached);

/*
 * Walks one more step of the VMA's address range, for any current mapping. Errors as above,
 * except -ENOENT.
 */
int pm_walk_area(struct mm_struct *mm, const struct pm_area *area, enum pm_walk_kind kind,
		 struct pm_stretch *found, unsigned long *reached);

/*
 * Makes the name of the VMA and drops the file reference. May sleep, and takes file system locks.
 */
void pm_name_area(struct pm_area *area);

#endif
