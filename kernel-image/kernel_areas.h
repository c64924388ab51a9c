/* SPDX-License-Identifier: MIT */
/*
 * Frames that the kernel uses by virtual addresses of its own: page tables, stacks of tasks,
 * modules, per-CPU data and vmalloc. Their struct pages say nothing about that.
 */
#ifndef PM_KERNEL_AREAS_H
#define PM_KERNEL_AREAS_H

#include "image.h"
#include "marks.h"
#include "task_list.h"

/*
 * Adds a mark for each of these frames. What the kernel has not, or what cannot be read, is left
 * out. Returns 0, -EINTR or -ENOMEM.
 */
int pm_mark_kernel_areas(struct pm_image *image, const struct pm_tasks *tasks,
			 struct pm_marks *marks);

/* The same for the kernel's page tables and the upper tables of processes. */
int pm_mark_tables(struct pm_image *image, const struct pm_tasks *tasks, struct pm_marks *marks);

#endif
