// SPDX-License-Identifier: GPL-2.0-only
#include "paging_owner.h"

#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "pte_peek.h"

#define NOTES_LOG2 12

struct note {
	/*
	 * Raw, because probes must not sleep on PREEMPT_RT. Interrupts stay on, because no
	 * interrupt unmaps or writes pages.
	 */
	raw_spinlock_t lock;
	u64 pfn;			/* of the first page */
	unsigned long entry;		/* 0: no note; slot 0 holds the swap area's header */
	const struct mm_struct *mm;	/* the first seen, only compared; NULL: none yet */
	struct pm_owner owner;
};

/*
 * At any time, each task in reclaim swaps out one folio. Further notes belong to pages that reclaim
 * unmapped but did not write yet; it returns to them later.
 */
static struct note notes[1u << NOTES_LOG2];

bool pm_owner_of(const struct mm_struct *mm, struct pm_task_id *task_id)
{
#ifdef CONFIG_MEMCG
	const struct task_struct *task;

	rcu_read_lock();
	task = rcu_dereference(mm->owner);
	if (task)
		pm_task_id_of(task, task_id);
	rcu_read_unlock();
	return task;
#else
	return false;
#endif
}

void pm_owners_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(notes); i++)
		raw_spin_lock_init(&notes[i].lock);
}

static struct note *note_of(u64 pfn)
{
	return &notes[hash_64(pfn, NOTES_LOG2)];
}

static u64 first_frame(pm_folio *folio)
{
	return page_to_pfn(pm_folio_page(folio));
}

/*
 * If a probe is a breakpoint, its handler counts as an NMI, and lockdep allows only trylock there.
 * Spinning is safe: no code that holds this lock can hit a probe.
 */
static void lock_note(struct note *note) __acquires(&note->lock)
{
	while (!raw_spin_trylock(&note->lock))
		cpu_relax();
}

static bool is_of(const struct note *note, u64 pfn, swp_entry_t entry)
{
	return note->pfn == pfn && note->entry == entry.val;
}

static void begin_note(pm_folio *folio, bool is_new_write)
{
	struct note *note = note_of(first_frame(folio));
	swp_entry_t entry = pm_swap_entry(folio);

	if (!pm_is_in_swap_cache(folio))
		return;
	lock_note(note);
	if (is_new_write || !is_of(note, first_frame(folio), entry)) {
		note->pfn = first_frame(folio);
		note->entry = entry.val;
		note->mm = NULL;
		note->owner.pages = 0;
		note->owner.is_shared = false;
	}
	raw_spin_unlock(&note->lock);
}

void pm_owner_begin(pm_folio *folio)
{
	begin_note(folio, true);
}

void pm_owner_prepare(pm_folio *folio)
{
	begin_note(folio, false);
}

/*
 * Counts the pages of the folio that are mapped contiguously from va on, up to the end of the page
 * table.
 */
static unsigned int count_pages(pm_folio *folio, struct mm_struct *mm, unsigned long va, u64 pfn)
{
	u64 end = first_frame(folio) + pm_pages_of(folio);
	unsigned int n;

	for (n = 1; pfn + n < end; n++) {
		u64 next;

		va += PAGE_SIZE;
		if (!(va & ~PMD_MASK) || !pm_pte_peek(mm, va, &next) || next != pfn + n)
			break;
	}
	return n;
}

void pm_owner_unmapping(pm_folio *folio, struct mm_struct *mm, unsigned long va)
{
	struct note *note = note_of(first_frame(folio));
	u64 first = first_frame(folio);
	struct pm_task_id task_id;
	u64 pfn;

	if (!pm_is_in_swap_cache(folio) || !pm_pte_peek(mm, va, &pfn) || pfn < first ||
	    pfn >= first + pm_pages_of(folio))
		return;
	lock_note(note);
	if (!is_of(note, first, pm_swap_entry(folio)))
		goto out;
	if (note->mm) {
		note->owner.is_shared |= note->mm != mm;
	} else if (pm_owner_of(mm, &task_id)) {
		note->mm = mm;
		note->owner.task_id = task_id;
		note->owner.address = va;
		note->owner.pfn = pfn;
		note->owner.pages = count_pages(folio, mm, va, pfn);
	}
out:
	raw_spin_unlock(&note->lock);
}

bool pm_owner_take(u64 pfn, swp_entry_t entry, struct pm_owner *owner)
{
	struct note *note = note_of(pfn);
	bool is_found;

	lock_note(note);
	is_found = is_of(note, pfn, entry);
	if (is_found) {
		*owner = note->owner;
		note->entry = 0;
	}
	raw_spin_unlock(&note->lock);
	return is_found;
}
