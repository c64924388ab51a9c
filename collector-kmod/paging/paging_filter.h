/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of processes whose events are recorded or excluded. They may be changed during tracing. */
#ifndef PM_PAGING_FILTER_H
#define PM_PAGING_FILTER_H

#include <linux/moduleparam.h>
#include <linux/types.h>

#define PM_MAX_FILTERED 16u

struct pm_pid_list;

extern struct pm_pid_list pm_selected_pids, pm_excluded_pids;
extern const struct kernel_param_ops pm_pid_list_operations;

/*
 * tgid: in the initial pid namespace; 0: unknown, which is selected if the list pm_selected_pids
 * is empty. Called with preemption off.
 */
bool pm_paging_is_selected(pid_t tgid);

#endif
