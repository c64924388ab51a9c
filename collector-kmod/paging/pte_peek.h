/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame that a table entry names, looked at once without a lock: where nothing may sleep.
 * Whoever calls sees to it that the tables stay.
 */
#ifndef PM_PTE_PEEK_H
#define PM_PTE_PEEK_H

#include <linux/mm_types.h>
#include <linux/types.h>

/* True: a page is there, and *pfn is its frame. */
bool pm_pte_peek_pmd(pmd_t *pmd, unsigned long va, u64 *pfn);
bool pm_pte_peek(struct mm_struct *mm, unsigned long va, u64 *pfn);

#endif
