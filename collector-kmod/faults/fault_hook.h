/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells fault_table of each page fault, when handle_mm_fault() returns. */
#ifndef PM_FAULT_HOOK_H
#define PM_FAULT_HOOK_H

#include <linux/types.h>

/*
 * maxactive: calls of handle_mm_fault() that may be under way at once. by_process: threads count
 * for their process. -ENOMEM, or why the function cannot be probed. Afterwards the table must be
 * there.
 */
int pm_fault_hook_init(unsigned int maxactive, bool by_process);

/* After this the table is no longer used. */
void pm_fault_hook_exit(void);

/* Calls of handle_mm_fault() whose return was not seen; may be asked for at any time. */
unsigned long pm_fault_hook_missed(void);

#endif
