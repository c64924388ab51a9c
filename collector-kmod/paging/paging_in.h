/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records swap-ins. A read within do_swap_page(), in the same task, belongs to that fault. The
 * kernel counts reads in mm/page_io.c, and major faults in do_swap_page() itself.
 */
#ifndef PM_PAGING_IN_H
#define PM_PAGING_IN_H

#include "paging_hook.h"

#define PM_IN_HOOKS 6

extern struct pm_hook pm_in_hooks[PM_IN_HOOKS];

/*
 * Valid once the hooks are set: true if pages from zswap are distinguished from pages read from a
 * device.
 */
bool pm_paging_in_sees_zswap(void);

#endif
