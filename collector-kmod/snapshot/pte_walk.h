/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page tables of one area, a bounded stretch at a time.
 *
 * The kernel's own walkers are not exported, so the levels are gone down here. What makes it safe:
 * mm_users keeps the tables from exit, mmap_lock (read) and an address inside a vma keep them from
 * munmap; a table of entries is entered under RCU and read under its lock, after a second look at
 * the pmd, because khugepaged takes tables away with no more than these locks (since v6.6).
 */
#ifndef PM_PTE_WALK_H
#define PM_PTE_WALK_H

#include <linux/mm_types.h>

#include "emit/records.h"

/*
 * The most table entries looked at in one call, hence under one hold of the locks; and the most
 * records it makes.
 */
#define PM_STEP 512

enum pm_want {
	PM_WANT_COUNTS,	/* of a page's facts only the use count */
	PM_WANT_PAGES,	/* all facts of a page */
	PM_WANT_SWAPPED	/* no pages, only swap entries */
};

/* What one call found, in order of addresses. */
struct pm_stretch {
	struct pm_page pages[PM_STEP];
	struct pm_swap swapped[PM_STEP];
	size_t n_pages, n_swapped;
	__u64 in_transit;	/* entries that are neither present nor swapped */
};

/*
 * Goes through [va, end) of vma from va on; the caller holds mm_users and mmap_lock. Returns where
 * the next call must go on: end when all was seen. An area of up to PM_STEP pages is done in one
 * call, unless they are huge ones.
 */
unsigned long pm_pte_walk(struct vm_area_struct *vma, unsigned long va, unsigned long end, enum pm_want want,
			  struct pm_stretch *found);

#endif
