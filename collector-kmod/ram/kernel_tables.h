/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PM_KERNEL_TABLES_H
#define PM_KERNEL_TABLES_H

#include <linux/mm_types.h>

#include "kernel_memory.h"

/*
 * Adds the upper page tables of a process. Its mm is kept by the caller. The kernel marks the lower
 * ones itself.
 */
void pm_add_tables_of(struct pm_kernel_memory *memory, const struct mm_struct *mm);

/*
 * Adds page tables of the kernel, and frames of vmalloc and modules, of at most one lowest table.
 * Returns false at the end.
 */
bool pm_add_kernel_tables(struct pm_kernel_memory *memory);

#endif
