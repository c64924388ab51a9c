/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds frames of kernel memory, in steps. */
#ifndef PM_KERNEL_MEMORY_WALK_H
#define PM_KERNEL_MEMORY_WALK_H

#include <linux/sched.h>

#include "kernel_memory.h"

/* Looks up some more. Returns false if all is done. May sleep between RCU sections. */
bool pm_kernel_memory_step(struct pm_kernel_memory *memory);

/* The number of the frame that holds page i of the task's stack; 0: unknown. Called under RCU. */
u64 pm_stack_frame(const struct task_struct *task, unsigned int i);

#endif
