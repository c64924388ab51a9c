/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts each page fault in fault_table when handle_mm_fault() returns. */
#ifndef PM_FAULT_HOOK_H
#define PM_FAULT_HOOK_H

#include <linux/types.h>

/*
 * maxactive: the number of handle_mm_fault() calls that may be in progress at once. by_process:
 * threads are counted for their process. Returns -ENOMEM, or the reason why the function cannot be
 * probed. pm_fault_table_init() must be called first.
 */
int pm_fault_hook_init(unsigned int maxactive, bool by_process);

/* The table is no longer used after this returns. */
void pm_fault_hook_exit(void);

/* The number of handle_mm_fault() calls whose return was missed. May be called at any time. */
unsigned long pm_fault_hook_missed(void);

#endif
