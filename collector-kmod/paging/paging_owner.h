/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who had the pages that are on their way out: reclaim unmaps a page (try_to_unmap()) before it
 * writes it, in the same task. What is noted holds for that frame with that slot only, so it is
 * never somebody else's.
 *
 * For any task, with preemption off, never in an interrupt. A note may be lost to that of another
 * page: then the owner is not known.
 */
#ifndef PM_PAGING_OWNER_H
#define PM_PAGING_OWNER_H

#include <linux/mm_types.h>

#include "kernel/compat.h"
#include "paging_event.h"

struct pm_owner {
	struct pm_task_id who;		/* the first that was seen to map the page */
	u64 address;			/* of the frame `pfn` */
	u64 pfn;
	unsigned int pages;		/* from there on, one after the other; 0: not known */
	bool is_shared;			/* others map it too */
};

void pm_owners_init(void);

/* It will be unmapped, by as many calls of pm_owner_unmapping() as there are areas that have it. */
void pm_owner_begin(pm_folio *folio);

/* The rmap walk holds a lock that keeps the tables of mm where they are. */
void pm_owner_unmapping(pm_folio *folio, struct mm_struct *mm, unsigned long va);

/* There is a note of it from now on, at least that it is there. */
void pm_owner_expect(pm_folio *folio);

/* It has left: what is known, and forgotten now. False: there was no note. */
bool pm_owner_take(u64 pfn, swp_entry_t entry, struct pm_owner *owner);

#endif
