/* SPDX-License-Identifier: MIT */
/* Memory that the kernel takes once and keeps, where a variable leads to it. */
#ifndef PM_KERNEL_POOLS_H
#define PM_KERNEL_POOLS_H

#include "image.h"
#include "marks.h"
#include "page_stack.h"

/*
 * Marks the tables of ftrace (ftrace_pages_start, one record per function that can be traced), the
 * pools of dma_alloc_coherent() for atomic context (atomic_pool_*) and the pool for checksums of
 * blocks (integrity_buf_pool). Returns 0 or -ENOMEM.
 */
int pm_mark_pools(struct pm_image *image, struct pm_marks *marks);

/* Marks what page_owner itself uses: its records of frames, and stacks. Returns 0 or -ENOMEM. */
int pm_mark_page_stacks(struct pm_page_stacks *stacks, struct pm_marks *marks);

#endif
