// SPDX-License-Identifier: GPL-2.0-only
/*
 * linux/leafops.h, in v6.19: "mm: introduce leaf entry type and use to simplify leaf entry logic".
 */
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/swap.h>
#include <linux/leafops.h>

bool pm_probe(pte_t pte)
{
	return softleaf_is_swap(softleaf_from_pte(pte));
}

MODULE_LICENSE("GPL");
