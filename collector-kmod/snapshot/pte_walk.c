// SPDX-License-Identifier: GPL-2.0-only
#include "pte_walk.h"

#include <linux/sched/mm.h>

#include "file_swap.h"
#include "kernel/compat_tables.h"
#include "kernel/page_facts.h"

/*
 * Maximum descents from the top level in one call; each ends at a table or an empty entry. Few
 * compared with PM_STEP entries, but enough for the tables of PM_STEP pages: a table has at least
 * 32 entries (PowerPC, 64 KiB).
 */
#define PM_DESCENTS 32

struct walk {
	struct vm_area_struct *vma;
	unsigned long va, end;
	enum pm_walk_kind kind;
	struct pm_stretch *found;
	struct address_space *file;	/* may have slots for empty entries; or NULL */
	unsigned int entries;	/* seen so far, of PTE tables and of the file */
};

/* The bits of an entry other than the frame number. */
static __u64 attribute_bits(pte_t pte)
{
	return pte_val(pte) & ~pm_frame_bits();
}

static void note_page(struct walk *walk, unsigned long va, struct pm_frame frame, __u64 bits)
{
	struct pm_page *page = &walk->found->pages[walk->found->n_pages++];

	page->va = va;
	page->pte = (__u64)frame.pfn << PAGE_SHIFT | bits;
	if (walk->kind == PM_WALK_PAGES)
		pm_describe_page(frame, page);
	else
		page->count = pm_use_count(frame);
}

/* An entry that is neither empty nor present. */
static void note_absent(struct walk *walk, unsigned long va, pte_t pte)
{
	struct pm_stretch *found = walk->found;
	struct pm_swap *swap = &found->swapped[found->n_swapped];
	__u64 guards = found->markers.guard;
	bool is_swapped = pm_pte_swap(pte, &swap->type, &swap->offset);

	if (is_swapped && !is_vm_hugetlb_page(walk->vma)) {
		swap->va = va;
		found->n_swapped++;
	} else if (is_swapped || !pm_take_marker(&found->markers, swap->offset)) {
		found->in_transit++;
	} else if (va == walk->vma->vm_start) {
		found->is_guarded = found->markers.guard != guards;
	}
}

static unsigned long index_at(const struct walk *walk, unsigned long va)
{
	return walk->vma->vm_pgoff + ((va - walk->vma->vm_start) >> PAGE_SHIFT);
}

/* Handles an empty entry of a PTE table. A page of shared memory may still be in swap. */
static void note_empty(struct walk *walk, unsigned long va)
{
	struct pm_swap *swap = &walk->found->swapped[walk->found->n_swapped];
	unsigned long index;

	if (!walk->file)
		return;
	index = index_at(walk, va);
	if (pm_next_item(walk->file, &index, index, swap) == PM_FILE_SLOT) {
		swap->va = va;
		walk->found->n_swapped++;
	}
}

/*
 * The end of the entry at walk->va of an upper level, whose entries cover `size` bytes, or the end
 * of the walk. The kernel's pmd_addr_end(), pud_addr_end() and p4d_addr_end() cannot be used: on a
 * level that is folded into the one above they return the end of the whole range, because the
 * kernel's own walks have cut it there (include/asm-generic/pgtable-nop4d.h, -nopud.h, -nopmd.h).
 */
static unsigned long entry_end(const struct walk *walk, unsigned long size)
{
	unsigned long end = (walk->va + size) & ~(size - 1);

	/* The last entry of the address space ends at 0. */
	return min(end - 1, walk->end - 1) + 1;
}

/* Skips to the end of an upper-level entry. */
static void skip(struct walk *walk, unsigned long to)
{
	walk->va = to;
}

/*
 * Handles an empty upper-level entry. Pages that the file has in memory count as entries seen, so
 * PM_STEP bounds the time under the locks here too.
 */
static void skip_empty(struct walk *walk, unsigned long to)
{
	unsigned long first = index_at(walk, walk->va);
	unsigned long last = first + ((to - walk->va) >> PAGE_SHIFT) - 1;
	unsigned long index = first;
	enum pm_file_item item = walk->file ? PM_FILE_OTHER : PM_FILE_END;

	while (item != PM_FILE_END && index <= last && walk->entries < PM_STEP) {
		struct pm_swap *swap = &walk->found->swapped[walk->found->n_swapped];

		item = pm_next_item(walk->file, &index, last, swap);
		if (item == PM_FILE_SLOT) {
			swap->va = walk->va + (index - first) * PAGE_SIZE;
			walk->found->n_swapped++;
		}
		walk->entries++;
		index++;
	}
	skip(walk, item == PM_FILE_END || index > last ? to :
							 walk->va + (index - first) * PAGE_SIZE);
}

/*
 * Handles an upper-level entry for many pages, none of which is present now: under migration, or
 * being split.
 */
static void skip_in_transit(struct walk *walk, unsigned long to)
{
	walk->found->in_transit += (to - walk->va) >> PAGE_SHIFT;
	skip(walk, to);
}

/* The number of pages for which note_page() or note_absent() may still be called. */
static unsigned long room_until(const struct walk *walk, unsigned long end)
{
	return min((end - walk->va) >> PAGE_SHIFT, (unsigned long)PM_STEP - walk->entries);
}

/*
 * Walks the pages of a huge entry. The first one, at address start, is in frame. Describing a part
 * of a compound page takes twice as long, so half as many are visited per lock hold.
 */
static void walk_huge(struct walk *walk, unsigned long end, unsigned long start,
		      struct pm_frame frame, __u64 bits)
{
	unsigned long n = max(room_until(walk, end) / 2, 1ul);
	unsigned long i;

	frame.pfn += (walk->va - start) >> PAGE_SHIFT;
	if (walk->kind != PM_WALK_SWAPPED)
		for (i = 0; i < n; i++, frame.pfn++)
			note_page(walk, walk->va + i * PAGE_SIZE, frame, bits);
	walk->entries += 2 * n;
	skip(walk, walk->va + n * PAGE_SIZE);
}

/*
 * If the entry has changed in the meantime, each walk_ function leaves walk->va unchanged, and the
 * caller descends again from the top.
 */
static void walk_pud_leaf(struct walk *walk, pud_t *pud, pud_t value, unsigned long end)
{
	spinlock_t *lock = pud_lock(walk->vma->vm_mm, pud);
	struct pm_frame frame = { 0 };
	pte_t pte;

	/* Huge pages at this level belong to hugetlb, which also treats the entry as a pte. */
	BUILD_BUG_ON(sizeof(pte) != sizeof(value));
	memcpy(&pte, &value, sizeof(pte));
	frame.pfn = pte_pfn(pte) & ~(PUD_SIZE / PAGE_SIZE - 1);
	if (pud_val(READ_ONCE(*pud)) == pud_val(value))
		walk_huge(walk, end, walk->va & PUD_MASK, frame, attribute_bits(pte));
	spin_unlock(lock);
}

static void walk_pmd_leaf(struct walk *walk, pmd_t *pmd, pmd_t value, unsigned long end)
{
	spinlock_t *lock = pmd_lock(walk->vma->vm_mm, pmd);
	struct pm_frame frame = {
		.pfn = pmd_pfn(value) & ~(PMD_SIZE / PAGE_SIZE - 1),
		.by_pmd = true,
	};

	if (pmd_val(pm_pmd_read(pmd)) == pmd_val(value))
		walk_huge(walk, end, walk->va & PMD_MASK, frame, pmd_val(value) & ~pm_frame_bits());
	spin_unlock(lock);
}

static void walk_entries(struct walk *walk, pte_t *pte, unsigned long n)
{
	unsigned long va = walk->va;
	unsigned long i;

	for (i = 0; i < n; i++, va += PAGE_SIZE) {
		pte_t entry = ptep_get(pte + i);

		if (pte_none(entry))
			note_empty(walk, va);
		else if (!pte_present(entry))
			note_absent(walk, va, entry);
		else if (walk->kind != PM_WALK_SWAPPED)
			note_page(walk, va,
				  (struct pm_frame){ .pfn = pte_pfn(entry),
						     .has_page = pm_pte_has_page(entry) },
				  attribute_bits(entry));
	}
	walk->entries += n;
	skip(walk, va);
}

/*
 * The pmd is read under RCU, so the table it points to is not freed before the end. It is read
 * again under the table's lock, which is also held by code that removes the table.
 */
static void walk_table(struct walk *walk, pmd_t *pmd, pmd_t value, unsigned long end)
{
	spinlock_t *lock;
	pte_t *table;

	rcu_read_lock();
	if (pmd_val(pm_pmd_read(pmd)) == pmd_val(value)) {
		lock = pm_pte_lock(walk->vma->vm_mm, &value);
		spin_lock(lock);
		if (pmd_val(pm_pmd_read(pmd)) == pmd_val(value)) {
			table = pm_pte_map(&value, walk->va);
			walk_entries(walk, table, room_until(walk, end));
			pm_pte_unmap(table);
		}
		spin_unlock(lock);
	}
	rcu_read_unlock();
}

static void walk_pmd(struct walk *walk, pud_t *pud, pud_t pud_value)
{
	pmd_t *pmd = pm_pmd_offset(pud, pud_value, walk->va);
	pmd_t value = pm_pmd_read(pmd);
	unsigned long end = entry_end(walk, PMD_SIZE);

	if (pmd_none(value))
		skip_empty(walk, end);
	else if (!pmd_present(value))
		skip_in_transit(walk, end);
	else if (pm_pmd_is_leaf(value))
		walk_pmd_leaf(walk, pmd, value, end);
	else if (pm_is_hugepd(pmd_val(value)) || pmd_bad(value))
		skip_in_transit(walk, end);
	else
		walk_table(walk, pmd, value, end);
}

static void walk_pud(struct walk *walk, p4d_t *p4d)
{
	pud_t *pud = pud_offset(p4d, walk->va);
	pud_t value = READ_ONCE(*pud);
	unsigned long end = entry_end(walk, PUD_SIZE);

	if (pud_none(value))
		skip_empty(walk, end);
	else if (!pud_present(value) || pm_is_hugepd(pud_val(value)))
		skip_in_transit(walk, end);
	else if (pm_pud_is_leaf(value))
		walk_pud_leaf(walk, pud, value, end);
	else
		walk_pmd(walk, pud, value);
}

static void walk_top(struct walk *walk)
{
	pgd_t *pgd = pgd_offset(walk->vma->vm_mm, walk->va);
	p4d_t *p4d;

	if (pgd_none(*pgd)) {
		skip_empty(walk, entry_end(walk, PGDIR_SIZE));
		return;
	}
	if (pm_is_hugepd(pgd_val(*pgd))) {
		skip_in_transit(walk, entry_end(walk, PGDIR_SIZE));
		return;
	}
	p4d = p4d_offset(pgd, walk->va);
	if (p4d_none(*p4d))
		skip_empty(walk, entry_end(walk, P4D_SIZE));
	else
		walk_pud(walk, p4d);
}

/*
 * Page tables of hugetlb can be shared between processes, and another process may remove them
 * without holding our locks. They are freed after an RCU grace period or, when memory is short,
 * after an IPI to every CPU. With interrupts off neither happens. On PREEMPT_RT the locks sleep, so
 * only RCU protects the tables there.
 */
static void walk_top_of_hugetlb(struct walk *walk)
{
	unsigned long flags;

	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		rcu_read_lock();
		walk_top(walk);
		rcu_read_unlock();
		return;
	}
	local_irq_save(flags);
	walk_top(walk);
	local_irq_restore(flags);
}

unsigned long pm_pte_walk(struct vm_area_struct *vma, unsigned long va, unsigned long end,
			  enum pm_walk_kind kind, struct pm_stretch *found)
{
	struct walk walk = { .vma = vma, .va = va, .end = end, .kind = kind, .found = found };
	unsigned int steps;

	pm_clear_stretch(found);
	/* As in /proc/PID/pagemap: such device mappings have no pages to report. */
	if (vma->vm_flags & VM_PFNMAP)
		return end;
	walk.file = pm_swapped_file(vma);
	for (steps = 0; walk.va < end && walk.entries < PM_STEP && steps < PM_DESCENTS; steps++) {
		if (is_vm_hugetlb_page(vma))
			walk_top_of_hugetlb(&walk);
		else
			walk_top(&walk);
	}
	return walk.va;
}
