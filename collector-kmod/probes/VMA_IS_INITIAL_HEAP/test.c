// SPDX-License-Identifier: GPL-2.0-only
/* Linux kernel commit 11250fd12eb8 ("mm: factor out VMA stack and heap checks") (in v6.6). */
#include <linux/module.h>
#include <linux/mm.h>

bool pm_probe(struct vm_area_struct *vma)
{
	return vma_is_initial_heap(vma) || vma_is_initial_stack(vma);
}

MODULE_LICENSE("GPL");
