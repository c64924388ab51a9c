// SPDX-License-Identifier: GPL-2.0-only
/* Linux kernel commit dab6e717429e ("mm: Rename pmd_read_atomic()") (in v6.2). */
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/pgtable.h>

pmd_t pm_probe(pmd_t *pmd)
{
	return pmdp_get_lockless(pmd);
}

MODULE_LICENSE("GPL");
