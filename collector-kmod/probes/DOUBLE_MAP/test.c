// SPDX-License-Identifier: GPL-2.0-only
/*
 * Until Linux kernel commit 4b51634cd16a ("mm,thp,rmap: subpages_mapcount COMPOUND_MAPPED if
 * PMD-mapped") (in v6.2).
 */
#include <linux/mm.h>
#include <linux/module.h>

int pm_probe(struct page *head)
{
	return PageDoubleMap(head) + atomic_read(compound_mapcount_ptr(head));
}

MODULE_LICENSE("GPL");
