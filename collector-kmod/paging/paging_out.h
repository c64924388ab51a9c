/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records swap-outs, with the owner of the page: the process that reclaim unmapped it from before
 * writing it.
 */
#ifndef PM_PAGING_OUT_H
#define PM_PAGING_OUT_H

#include "paging_hook.h"

#define PM_OUT_HOOKS 6

extern struct pm_hook pm_out_hooks[PM_OUT_HOOKS];

void pm_paging_out_init(void);

/* Valid once the hooks are set. */
bool pm_paging_out_sees_owners(void);

#endif
