// SPDX-License-Identifier: GPL-2.0-only
/* Removed in v6.11. Since v6.10 the count of a page is read by way of its folio. */
#include <linux/module.h>
#include <linux/mm.h>

int pm_probe(struct page *page)
{
	return page_mapcount(page);
}

MODULE_LICENSE("GPL");
