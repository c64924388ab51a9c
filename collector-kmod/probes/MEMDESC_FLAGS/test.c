// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 53fbef56e07d ("mm: introduce memdesc_flags_t") (in v6.18): page->flags became
 * a struct.
 */
#include <linux/module.h>
#include <linux/mm.h>

unsigned long pm_probe(struct page *page)
{
	return page->flags.f;
}

MODULE_LICENSE("GPL");
