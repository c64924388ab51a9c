/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Swap-ins. A read that happens within do_swap_page(), in the same task, is that fault's; the
 * kernel counts it where it is asked for (mm/page_io.c), and the major fault in do_swap_page()
 * itself.
 */
#ifndef PM_PAGING_IN_H
#define PM_PAGING_IN_H

#include "paging_hook.h"

#define PM_IN_HOOKS 6

extern struct pm_hook pm_in_hooks[PM_IN_HOOKS];

/* Once they are set: whether a page that zswap gives is known from one that is read. */
bool pm_paging_in_sees_zswap(void);

#endif
