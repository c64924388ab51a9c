/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records what the current task is doing with swap: a fault, or a read outside of any fault. The
 * probes of functions it calls in the meantime look it up. A task looks up only its own entry, so
 * no lock is needed.
 */
#ifndef PM_PAGING_TASK_H
#define PM_PAGING_TASK_H

#include <linux/types.h>

struct pm_swap_in;

/* Allocates room for `tasks` tasks. Returns 0 or -ENOMEM. */
int pm_paging_tasks_init(unsigned int tasks);
void pm_paging_tasks_exit(void);

/*
 * Until pm_paging_task_end(), pm_paging_task() returns `doing` in this task. Returns false if there
 * is no room.
 */
bool pm_paging_task_begin(struct pm_swap_in *doing);
void pm_paging_task_end(const struct pm_swap_in *doing);
struct pm_swap_in *pm_paging_task(void);

#endif
