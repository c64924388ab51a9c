// SPDX-License-Identifier: GPL-2.0-only
/* Gone in v6.11; since v6.10 the count of one page is asked of its folio. */
#include <linux/module.h>
#include <linux/mm.h>

int pm_probe(struct page *page)
{
	return page_mapcount(page);
}

MODULE_LICENSE("GPL");
