/* SPDX-License-Identifier: GPL-2.0-only */
/* What differs between kernels and architectures in page tables. See compat.h. */
#ifndef PM_COMPAT_TABLES_H
#define PM_COMPAT_TABLES_H

#include <linux/mm.h>
#include <linux/swap.h>
#include <linux/swapops.h>

#include "compat.h"
#include "frame_bits.h"

#ifdef HAVE_SOFTLEAF
#include <linux/leafops.h>
#endif

static inline pmd_t pm_pmd_read(pmd_t *pmd)
{
#ifdef HAVE_PMDP_GET_LOCKLESS
	return pmdp_get_lockless(pmd);
#else
	/*
	 * On 32-bit kernels with 64-bit entries the read may be torn. That is detected when the
	 * entry is read again under its lock.
	 */
	return READ_ONCE(*pmd);
#endif
}

/*
 * The entry may change while its table is looked up, so a copy is used. With folded levels the
 * table is the upper one, which requires the real pointer.
 */
static inline pmd_t *pm_pmd_offset(pud_t *pud, pud_t value, unsigned long va)
{
#ifdef __PAGETABLE_PMD_FOLDED
	return pmd_offset(pud, va);
#else
	return pmd_offset_lockless(pud, value, va);
#endif
}

/* pmd_leaf() alone misses huge pages without access on x86 before v6.2. */
static inline bool pm_pmd_is_leaf(pmd_t pmd)
{
	return pmd_leaf(pmd) || pmd_trans_huge(pmd);
}

static inline bool pm_pud_is_leaf(pud_t pud)
{
	return pud_leaf(pud) || pud_trans_huge(pud);
}

/* PowerPC until v6.11: a hugepage directory in place of a page table. */
static inline bool pm_is_hugepd(unsigned long value)
{
#if defined(CONFIG_ARCH_HAS_HUGEPD) && defined(is_hugepd)
	return is_hugepd(__hugepd(value));
#else
	return false;
#endif
}

/*
 * Whether a present entry maps a page that the kernel counts for the process. If false, the frame
 * number may be arbitrary.
 */
static inline bool pm_pte_has_page(pte_t pte)
{
	return IS_ENABLED(CONFIG_ARCH_HAS_PTE_SPECIAL) && !pte_special(pte);
}

/*
 * Decodes an entry that is not present. Returns true for a swap slot, false for anything else:
 * migration and poison, whose offset is a frame, and markers, whose offset has their bits.
 */
static inline bool pm_pte_swap(pte_t pte, __u64 *type, __u64 *offset)
{
#ifdef HAVE_SOFTLEAF
	softleaf_t entry = softleaf_from_pte(pte);

	bool is_swapped = softleaf_is_swap(entry);
#else
	swp_entry_t entry = pte_to_swp_entry(pte);
	bool is_swapped = !non_swap_entry(entry);
#endif
	*type = swp_type(entry);
	*offset = swp_offset(entry);
	return is_swapped;
}

/* The lock of the table that a pmd points to. */
static inline spinlock_t *pm_pte_lock(struct mm_struct *mm, pmd_t *pmd)
{
#if defined(HAVE_PTE_LOCKPTR) || !USE_SPLIT_PTE_PTLOCKS
	return pte_lockptr(mm, pmd);
#elif defined(page_ptdesc)
	return ptlock_ptr(page_ptdesc(virt_to_page((void *)pmd_page_vaddr(*pmd))));
#else
	return ptlock_ptr(virt_to_page((void *)pmd_page_vaddr(*pmd)));
#endif
}

/*
 * Maps the table that a pmd points to. The caller holds the lock of pm_pte_lock(), so the table
 * cannot be freed.
 */
static inline pte_t *pm_pte_map(pmd_t *pmd, unsigned long va)
{
#ifdef CONFIG_HIGHPTE
	return (pte_t *)kmap_atomic(pmd_page(*pmd)) + pte_index(va);
#else
	return pte_offset_kernel(pmd, va);
#endif
}

static inline void pm_pte_unmap(pte_t *pte)
{
#ifdef CONFIG_HIGHPTE
	kunmap_atomic((void *)((unsigned long)pte & PAGE_MASK));
#endif
}

#endif
