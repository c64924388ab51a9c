// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 4ffca5a96678 ("mm: support only one page_type per page") (in v6.12): a page
 * type looks like a map count.
 */
#include <linux/module.h>
#include <linux/mm.h>

bool pm_probe(unsigned int mapcount)
{
	return page_mapcount_is_type(mapcount);
}

MODULE_LICENSE("GPL");
