// SPDX-License-Identifier: GPL-2.0-only
/*
 * Until Linux kernel commit bcfe06bf2622 ("mm: memcontrol: Use helpers to read page's memcg data")
 * (in v5.11).
 */
#include <linux/mm.h>
#include <linux/module.h>

void *pm_probe(struct page *page)
{
	return page->mem_cgroup;
}

MODULE_LICENSE("GPL");
