/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Owners of pages that are being swapped out. Reclaim unmaps a page (try_to_unmap()) before it
 * writes it, in the same task. A note is valid only for that frame with that slot, so a wrong owner
 * is never reported.
 *
 * Called in any task, with preemption off, never in an interrupt. A note may be overwritten by that
 * of another page. Then the owner is unknown.
 */
#ifndef PM_PAGING_OWNER_H
#define PM_PAGING_OWNER_H

#include <linux/mm_types.h>

#include "kernel/compat.h"
#include "paging_event.h"

struct pm_owner {
	struct pm_task_id task_id;		/* the first task found to map the page */
	u64 address;			/* of the frame `pfn` */
	u64 pfn;
	unsigned int pages;		/* contiguous from pfn on; 0: owner unknown */
	bool is_shared;			/* other address spaces map it too */
};

void pm_owners_init(void);

/* Begins the unmapping of folio. pm_owner_unmapping() is then called once per VMA that maps it. */
void pm_owner_begin(pm_folio *folio);

/* The caller's rmap walk holds a lock that prevents the page tables of mm from being freed. */
void pm_owner_unmapping(pm_folio *folio, struct mm_struct *mm, unsigned long va);

/* Creates a note without owner if the folio has none. */
void pm_owner_prepare(pm_folio *folio);

/*
 * Called when the page was swapped out: returns its note and deletes it. Returns false if there was
 * no note.
 */
bool pm_owner_take(u64 pfn, swp_entry_t entry, struct pm_owner *owner);

#endif
