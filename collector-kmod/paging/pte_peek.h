/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the frame number of a page-table entry once, without a lock, in atomic context. The caller
 * ensures that the page tables are not freed.
 */
#ifndef PM_PTE_PEEK_H
#define PM_PTE_PEEK_H

#include <linux/mm_types.h>
#include <linux/types.h>

/* Returns true if a page is mapped, with its frame number in *pfn. */
bool pm_pte_peek_pmd(pmd_t *pmd, unsigned long va, u64 *pfn);
bool pm_pte_peek(struct mm_struct *mm, unsigned long va, u64 *pfn);

#endif
