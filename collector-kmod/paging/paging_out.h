/* SPDX-License-Identifier: GPL-2.0-only */
/* Swap-outs, and who had the page: whom reclaim took it from before it wrote it. */
#ifndef PM_PAGING_OUT_H
#define PM_PAGING_OUT_H

#include "paging_hook.h"

#define PM_OUT_HOOKS 6

extern struct pm_hook pm_out_hooks[PM_OUT_HOOKS];

void pm_paging_out_init(void);

/* Once they are set. */
bool pm_paging_out_sees_owners(void);

#endif
