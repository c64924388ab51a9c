// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page tables that the kernel does not mark, and what the kernel's own map, on x86-64. init_mm is
 * not exported. Any process's top-level table has the kernel's half there; on other architectures
 * it has not.
 *
 * The lock of the kernel's tables is not exported either. A table may be freed when a huge page
 * takes its place, so each is copied, and the copy is used only if the entry that refers to the
 * table is still the same afterwards.
 */
#include "kernel_tables.h"

#include <linux/rcupdate.h>

#include "kernel/compat_ram.h"

#ifdef CONFIG_X86_64
#define ENTRIES 512u
/*
 * Entries that are followed per step, if they lead to no lowest table. After each a whole table may
 * be empty, which takes 4,000 instructions.
 */
#define ENTRIES_PER_STEP 8u
/* Entries that are read at once while looking for one that is present. */
#define ENTRIES_AT_ONCE 64u

static const struct pm_kernel_use of_table = { .class_ = PM_RAM_PGTABLE };
static const struct pm_kernel_use of_user_table = { .class_ = PM_RAM_PGTABLE, .is_tail = true };

/* Levels are numbered from 0, the lowest: entries of pages of 4 KiB. */
static unsigned int top_level(void)
{
	return pgtable_l5_enabled() ? 4 : 3;
}

/* Bytes that an entry of this level maps. */
static unsigned long span_of(unsigned int level)
{
	return 1ul << (PAGE_SHIFT + 9 * level);
}

static unsigned int index_of(unsigned long va, unsigned int level)
{
	return va / span_of(level) % ENTRIES;
}

static bool is_present(u64 entry)
{
	return entry & _PAGE_PRESENT;
}

static bool is_leaf(u64 entry, unsigned int level)
{
	return level == 0 || entry & _PAGE_PSE;
}

static u64 pfn_of(u64 entry)
{
	return (entry & PTE_PFN_MASK) >> PAGE_SHIFT;
}

static const u64 *table_of(u64 entry)
{
	return __va(pfn_of(entry) << PAGE_SHIFT);
}

/* Copies the table that the entry refers to. Returns false if it does not any more. */
static bool copy_table(struct pm_kernel_memory *memory, const u64 *entry, u64 value)
{
	u64 now;

	return pm_read_safely(memory->entries, table_of(value), sizeof(memory->entries)) &&
	       pm_read_safely(&now, entry, sizeof(now)) && now == value;
}

/* The tables that the entries of a top-level table refer to, and with five levels theirs. */
static void add_below(struct pm_kernel_memory *memory, const u64 *entry, u64 value)
{
	unsigned int i;

	pm_kernel_memory_add(memory, pfn_of(value), of_table);
	if (top_level() == 3 || !copy_table(memory, entry, value))
		return;
	for (i = 0; i < ENTRIES; i++)
		if (is_present(memory->entries[i]))
			pm_kernel_memory_add(memory, pfn_of(memory->entries[i]), of_table);
}

/*
 * A kernel with page-table isolation allocates blocks of two pages: the top-level table, and a
 * second one for user mode. The first half of the entries belongs to the process. Only few are in
 * use: one for its program and heap, one for libraries and stack.
 */
void pm_add_tables_of(struct pm_kernel_memory *memory, const struct mm_struct *mm)
{
	const u64 *top = (const u64 *)mm->pgd;
	u64 pfn = PFN_DOWN(__pa(top));
	unsigned int i;

	pm_kernel_memory_add(memory, pfn, of_table);
	if (!(pfn & 1))
		pm_kernel_memory_add(memory, pfn + 1, of_user_table);
	for (i = 0; i < ENTRIES / 2; i++)
		if (is_present(READ_ONCE(top[i])))
			add_below(memory, &top[i], READ_ONCE(top[i]));
}

/* What the kernel uses the memory at an address for, if it is mapped there only. */
static bool find_use(unsigned long va, struct pm_kernel_use *use)
{
	*use = (struct pm_kernel_use){ .class_ = PM_RAM_VMALLOC };
	if (va >= VMALLOC_START && va <= VMALLOC_END)
		return true;
	use->class_ = PM_RAM_MODULE;
	return va >= MODULES_VADDR && va < MODULES_END;
}

/*
 * A driver that lets processes map a buffer of vmalloc may mark its frames as reserved. Memory that
 * was reserved at boot may be mapped there, too: stacks for interrupts, in per-CPU data. The first
 * frame of an area is the first of a block of the allocator; others may be parts of that block,
 * which were in no list. Areas have an empty page between them.
 */
static void note_reserved(struct pm_kernel_memory *memory, unsigned long va, u64 pfn,
			  unsigned long pages)
{
	struct page *page;

	if (va != memory->area_end) {
		rcu_read_lock();	/* see memory_offline() */
		page = pfn_to_online_page(pfn);
		memory->area_is_reserved = page && pm_is_reserved_by_driver(page);
		rcu_read_unlock();
	}
	memory->area_end = va + pages * PAGE_SIZE;
	if (!memory->area_is_reserved)
		return;
	if (!memory->reserved_end || pfn < memory->reserved_first)
		memory->reserved_first = pfn;
	memory->reserved_end = max(memory->reserved_end, pfn + pages);
}

/* A page or a huge page. Ranges of devices are mapped, too, but are no RAM. */
static void add_leaf(struct pm_kernel_memory *memory, unsigned long va, u64 entry,
		     unsigned int level)
{
	struct pm_kernel_use use;

	if (level > 1 || !find_use(va, &use) || !pfn_valid(pfn_of(entry)))
		return;
	if (use.class_ == PM_RAM_VMALLOC) {
		note_reserved(memory, va, pfn_of(entry), span_of(level) / PAGE_SIZE);
		use.is_reserved = memory->area_is_reserved;
	}
	if (level == 0)
		pm_kernel_memory_add(memory, pfn_of(entry), use);
	else
		pm_kernel_memory_add_block(memory, pfn_of(entry), use);
}

static void add_lowest(struct pm_kernel_memory *memory, unsigned long va, const u64 *entry,
		       u64 value)
{
	struct pm_kernel_use use;
	unsigned int i;

	if (!find_use(va, &use) || !copy_table(memory, entry, value))
		return;
	for (i = 0; i < ENTRIES; i++) {
		if (is_present(memory->entries[i]))
			add_leaf(memory, va + i * PAGE_SIZE, memory->entries[i], 0);
		/* No lock is held, and the entries are a copy. */
		if (i % ENTRIES_AT_ONCE == ENTRIES_AT_ONCE - 1)
			cond_resched();
	}
}

/*
 * Entries from this one on, to the end of its table at most, that map nothing; at least 1. They are
 * read in blocks, as each safe read takes as long as to look at 20 entries.
 */
static unsigned long empty_entries(struct pm_kernel_memory *memory, const u64 *entry,
				   unsigned long va, unsigned int level)
{
	unsigned int left = ENTRIES - index_of(va, level), n = 1, i, block;

	for (; n < left; n += block) {
		block = min(left - n, ENTRIES_AT_ONCE);
		if (!pm_read_safely(memory->entries, entry + n, block * sizeof(*entry)))
			return n;
		for (i = 0; i < block; i++)
			if (is_present(memory->entries[i]))
				return n + i;
	}
	return n;
}

/*
 * Follows va to the first entry that is no table, or to a lowest table that is new. Returns the
 * bytes that are done; sets *is_lowest if a table was copied. A table that is known already is not
 * entered again: KASAN maps the same ones many thousand times.
 */
static unsigned long follow(struct pm_kernel_memory *memory, unsigned long va, bool *is_lowest)
{
	const u64 *entry = (const u64 *)current->active_mm->pgd + index_of(va, top_level());
	unsigned int level;
	u64 value;

	for (level = top_level();; level--) {
		if (!pm_read_safely(&value, entry, sizeof(value)) || !is_present(value))
			return span_of(level) * empty_entries(memory, entry, va, level);
		if (is_leaf(value, level)) {
			add_leaf(memory, va, value, level);
			break;
		}
		if (va % span_of(level) == 0 &&
		    !pm_kernel_memory_add(memory, pfn_of(value), of_table))
			break;
		if (level == 1) {
			add_lowest(memory, va, entry, value);
			*is_lowest = true;
			break;
		}
		entry = table_of(value) + index_of(va, level - 1);
	}
	return span_of(level);
}

bool pm_add_kernel_tables(struct pm_kernel_memory *memory)
{
	unsigned int left = ENTRIES_PER_STEP;
	bool is_lowest = false;

	if (!memory->va)
		memory->va = -(span_of(top_level()) * ENTRIES / 2);
	while (left-- && memory->va && !is_lowest)
		memory->va += follow(memory, memory->va, &is_lowest);
	return memory->va;
}
#else
void pm_add_tables_of(struct pm_kernel_memory *memory, const struct mm_struct *mm)
{
}

bool pm_add_kernel_tables(struct pm_kernel_memory *memory)
{
	return false;
}
#endif
