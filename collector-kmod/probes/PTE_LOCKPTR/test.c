// SPDX-License-Identifier: GPL-2.0-only
/* On PowerPC pte_lockptr() requires pmd_page(), which is not exported. */
#include <linux/module.h>
#include <linux/mm.h>

spinlock_t *pm_probe(struct mm_struct *mm, pmd_t *pmd)
{
	return pte_lockptr(mm, pmd);
}

MODULE_LICENSE("GPL");
