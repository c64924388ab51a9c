// SPDX-License-Identifier: GPL-2.0-only
/*
 * bc292ab00f6c ("mm: introduce vma->vm_flags wrapper functions"), v6.3: vm_flags can no longer be
 * assigned to.
 */
#include <linux/mm.h>
#include <linux/module.h>

void pm_probe(struct vm_area_struct *vma)
{
	vm_flags_clear(vma, VM_MAYEXEC);
}

MODULE_LICENSE("GPL");
