// SPDX-License-Identifier: GPL-2.0-only
/* "mm/slub: add a page type for large kmalloc", in v6.15. */
#include <linux/mm.h>
#include <linux/module.h>

int pm_probe(struct page *page)
{
	return PageLargeKmalloc(page);
}

MODULE_LICENSE("GPL");
