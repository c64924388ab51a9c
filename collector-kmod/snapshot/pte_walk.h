/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks the page tables of one VMA, in bounded steps.
 *
 * The kernel's own walkers are not exported, so the levels are walked here. mm_users protects the
 * tables from exit. mmap_lock (read) and an address inside a VMA protect them from munmap. A PTE
 * table is entered under RCU and read under its lock, after the pmd was read again, because
 * khugepaged removes tables with no more than these locks (since v6.6).
 */
#ifndef PM_PTE_WALK_H
#define PM_PTE_WALK_H

#include <linux/mm_types.h>

#include "emit/records.h"

/*
 * Maximum page-table entries visited in one call, hence per lock hold, and maximum records it
 * makes. With 464, the longest hold of mmap_lock takes 93,000 instructions on Linux 6.1, and 98,000
 * on 7.3.
 */
#define PM_STEP 464

enum pm_walk_kind {
	PM_WALK_COUNTS,	/* only the use count of a page */
	PM_WALK_PAGES,	/* all fields of a page */
	PM_WALK_SWAPPED	/* no pages, only swap entries */
};

/* The result of one call, in order of addresses. */
struct pm_stretch {
	struct pm_page pages[PM_STEP];
	struct pm_swap swapped[PM_STEP];
	size_t n_pages, n_swapped;
	__u64 in_transit;	/* entries that are neither present nor swapped, without markers */
	struct pm_markers markers;
	bool is_guarded;	/* the first page of the VMA is a guard page */
};

static inline void pm_clear_stretch(struct pm_stretch *found)
{
	found->n_pages = 0;
	found->n_swapped = 0;
	found->in_transit = 0;
	found->markers = (struct pm_markers){ 0 };
	found->is_guarded = false;
}

/*
 * Walks [va, end) of vma. The caller holds mm_users and mmap_lock. Returns the address where the
 * next call must continue; end if complete. A VMA of up to PM_STEP pages is complete after one
 * call, unless they are huge pages.
 */
unsigned long pm_pte_walk(struct vm_area_struct *vma, unsigned long va, unsigned long end,
			  enum pm_walk_kind kind, struct pm_stretch *found);

#endif
