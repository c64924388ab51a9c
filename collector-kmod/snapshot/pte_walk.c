// SPDX-License-Identifier: GPL-2.0-only
#include "pte_walk.h"

#include <linux/sched/mm.h>

#include "file_swap.h"
#include "kernel/compat.h"
#include "page_facts.h"

/*
 * Ways down from the top in one call, each to a table or to nothing: few beside PM_STEP entries,
 * and enough for the tables of PM_STEP pages, of which one has 32 at least (PowerPC, 64 KiB).
 */
#define PM_DESCENTS 32

struct walk {
	struct vm_area_struct *vma;
	unsigned long va, end;
	enum pm_want want;
	struct pm_stretch *found;
	struct address_space *file;	/* where slots of empty entries may be; or NULL */
	unsigned int entries;	/* of lowest tables and of the file, seen so far */
};

/* What an entry holds beside the frame number. */
static __u64 attribute_bits(pte_t pte)
{
	return pte_val(pte) & ~pm_frame_bits();
}

static void note_page(struct walk *walk, unsigned long va, struct pm_frame frame, __u64 bits)
{
	struct pm_page *page = &walk->found->pages[walk->found->n_pages++];

	page->va = va;
	page->pte = (__u64)frame.pfn << PAGE_SHIFT | bits;
	if (walk->want == PM_WANT_PAGES)
		pm_describe_page(frame, page);
	else
		page->count = pm_use_count(frame);
}

/* An entry that is neither empty nor present. */
static void note_absent(struct walk *walk, unsigned long va, pte_t pte)
{
	struct pm_swap *swap = &walk->found->swapped[walk->found->n_swapped];

	if (!is_vm_hugetlb_page(walk->vma) && pm_pte_swap(pte, &swap->type, &swap->offset)) {
		swap->va = va;
		walk->found->n_swapped++;
	} else {
		walk->found->in_transit++;
	}
}

static unsigned long index_at(const struct walk *walk, unsigned long va)
{
	return walk->vma->vm_pgoff + ((va - walk->vma->vm_start) >> PAGE_SHIFT);
}

/* An empty entry of a lowest table: the page may be in swap all the same. */
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

/* Skips to the end of an entry of an upper level. */
static void skip(struct walk *walk, unsigned long to)
{
	walk->va = to;
}

/*
 * The same for an empty entry of an upper level. What the file has in memory counts as an entry
 * seen, so that the time under the locks is bounded by PM_STEP here too.
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
	skip(walk, item == PM_FILE_END || index > last ? to : walk->va + (index - first) * PAGE_SIZE);
}

/*
 * An upper entry that stands for many pages, none of them there at this moment: in migration, or
 * being split.
 */
static void skip_in_transit(struct walk *walk, unsigned long to)
{
	walk->found->in_transit += (to - walk->va) >> PAGE_SHIFT;
	skip(walk, to);
}

/* Pages that one more call of note_page() or note_absent() each may be made for. */
static unsigned long room_until(const struct walk *walk, unsigned long end)
{
	return min((end - walk->va) >> PAGE_SHIFT, (unsigned long)PM_STEP - walk->entries);
}

/*
 * The pages of a huge entry, whose first one, at the address start, is in frame. To say what a part
 * of a compound page is takes twice as long, so half as many are looked at under one hold.
 */
static void walk_huge(struct walk *walk, unsigned long end, unsigned long start, struct pm_frame frame, __u64 bits)
{
	unsigned long n = max(room_until(walk, end) / 2, 1ul);
	unsigned long i;

	frame.pfn += (walk->va - start) >> PAGE_SHIFT;
	if (walk->want != PM_WANT_SWAPPED)
		for (i = 0; i < n; i++, frame.pfn++)
			note_page(walk, walk->va + i * PAGE_SIZE, frame, bits);
	walk->entries += 2 * n;
	skip(walk, walk->va + n * PAGE_SIZE);
}

/*
 * Each walk_ function leaves walk->va as it is when the entry has changed meanwhile: then the way
 * down begins anew.
 */
static void walk_pud_leaf(struct walk *walk, pud_t *pud, pud_t value, unsigned long end)
{
	spinlock_t *lock = pud_lock(walk->vma->vm_mm, pud);
	struct pm_frame frame = { 0 };
	pte_t pte;

	/* Huge pages of this level are hugetlb's, which takes the entry for a pte too. */
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
	struct pm_frame frame = { .pfn = pmd_pfn(value) & ~(PMD_SIZE / PAGE_SIZE - 1), .by_pmd = true };

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
		else if (walk->want != PM_WANT_SWAPPED)
			note_page(walk, va, (struct pm_frame){ .pfn = pte_pfn(entry), .has_page = pm_pte_has_page(entry) },
				  attribute_bits(entry));
	}
	walk->entries += n;
	skip(walk, va);
}

/*
 * The pmd is looked at under RCU, so the table it points to lives on until the end; and again under
 * the table's lock, which whoever takes the table away holds as well.
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
	unsigned long end = pmd_addr_end(walk->va, walk->end);

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
	unsigned long end = pud_addr_end(walk->va, walk->end);

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
		skip_empty(walk, pgd_addr_end(walk->va, walk->end));
		return;
	}
	if (pm_is_hugepd(pgd_val(*pgd))) {
		skip_in_transit(walk, pgd_addr_end(walk->va, walk->end));
		return;
	}
	p4d = p4d_offset(pgd, walk->va);
	if (p4d_none(*p4d))
		skip_empty(walk, p4d_addr_end(walk->va, walk->end));
	else
		walk_pud(walk, p4d);
}

/*
 * Tables of hugetlb can be shared between processes, and another one may take them away without any
 * lock of ours; they are freed after RCU or, when memory is short, after an interrupt to every CPU:
 * with interrupts off neither happens. On PREEMPT_RT the locks sleep, so there it is RCU alone.
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

unsigned long pm_pte_walk(struct vm_area_struct *vma, unsigned long va, unsigned long end, enum pm_want want,
			  struct pm_stretch *found)
{
	struct walk walk = { .vma = vma, .va = va, .end = end, .want = want, .found = found };
	unsigned int steps;

	found->n_pages = 0;
	found->n_swapped = 0;
	found->in_transit = 0;
	/* As /proc/PID/pagemap: such mappings of devices have no pages of ours. */
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
