// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 3d2c9087688777 ("mm/swap: inline folio_set_swap_entry() and
 * folio_swap_entry()") (in v6.6).
 */
#include <linux/mm.h>
#include <linux/module.h>

unsigned long pm_probe(struct folio *folio)
{
	return folio->swap.val;
}

MODULE_LICENSE("GPL");
