/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the task that runs is doing with swap: a fault, or a read outside any. Found by the
 * functions it calls meanwhile. Only the task itself looks for it, so there is no lock.
 */
#ifndef PM_PAGING_TASK_H
#define PM_PAGING_TASK_H

#include <linux/types.h>

struct pm_swap_in;

/* Room for so many tasks. -ENOMEM. */
int pm_paging_tasks_init(unsigned int tasks);
void pm_paging_tasks_exit(void);

/* Until pm_paging_task_end(), pm_paging_task() in this task gives it. False: there was no room. */
bool pm_paging_task_begin(struct pm_swap_in *doing);
void pm_paging_task_end(const struct pm_swap_in *doing);
struct pm_swap_in *pm_paging_task(void);

#endif
