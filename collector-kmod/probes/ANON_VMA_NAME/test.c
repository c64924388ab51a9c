// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 9a10064f5625 ("mm: add a field to store names for private anonymous memory")
 * (in v5.17).
 */
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>

const char *pm_probe(struct vm_area_struct *vma)
{
	return vma->anon_name->name;
}

MODULE_LICENSE("GPL");
