/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose events are wanted: lists of processes, which may be changed while records are written. */
#ifndef PM_PAGING_FILTER_H
#define PM_PAGING_FILTER_H

#include <linux/moduleparam.h>
#include <linux/types.h>

#define PM_MAX_FILTERED 16u

struct pm_pid_list;

extern struct pm_pid_list pm_wanted_pids, pm_excluded_pids;
extern const struct kernel_param_ops pm_pid_list_operations;

/*
 * tgid in the initial namespace; 0: unknown, which is wanted when no others are asked for. With
 * preemption off.
 */
bool pm_paging_wants(pid_t tgid);

#endif
