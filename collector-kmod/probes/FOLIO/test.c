// SPDX-License-Identifier: GPL-2.0-only
/* Linux kernel commit 7b230db3b8d3 ("mm: Introduce struct folio") (in v5.16). */
#include <linux/module.h>
#include <linux/mm.h>

void *pm_probe(struct page *page)
{
	return page_folio(page)->mapping;
}

MODULE_LICENSE("GPL");
