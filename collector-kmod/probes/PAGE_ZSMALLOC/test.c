// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 43d746dc49bb ("mm/zsmalloc: use a proper page type") (in v6.11). Kernels
 * without zsmalloc have the function, too, but not the type.
 */
#include <linux/mm.h>
#include <linux/module.h>

int pm_probe(struct page *page)
{
	return PageZsmalloc(page);
}

MODULE_LICENSE("GPL");
