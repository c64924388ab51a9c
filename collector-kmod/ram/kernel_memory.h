/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames of kernel memory that no struct page identifies: stacks of tasks, vmalloc, modules, upper
 * page tables. kernel_memory_walk.h finds them before the frames are read.
 */
#ifndef PM_KERNEL_MEMORY_H
#define PM_KERNEL_MEMORY_H

#include <asm/page.h>

#include "emit/ram.h"
#include "known.h"

/* What a frame is used for. */
struct pm_kernel_use {
	enum pm_ram_class class_;
	pid_t pid;		/* of the task that has the stack; else 0 */
	bool is_tail;		/* valid only if the frame is a part of a block that is no folio */
	bool is_reserved;	/* the driver that has it marked it as reserved */
};

struct pm_kernel_memory {
	struct pm_known known;	/* by frame; see kernel_memory.c */
	bool is_full;		/* no room, or no memory, for more frames */
	u64 reserved_first;	/* frames of vmalloc that drivers marked as reserved lie */
	u64 reserved_end;	/* between these; 0: there are none */
	unsigned long area_end;	/* of the area of vmalloc that was found last */
	bool area_is_reserved;	/* by its driver */
	pid_t next_pid;
	unsigned long va;	/* where the walk of the kernel's page tables continues */
	bool is_walking;	/* the tasks are done */
	u64 entries[PAGE_SIZE / sizeof(u64)];	/* a copy of one page table */
};

void pm_kernel_memory_free(struct pm_kernel_memory *memory);

/* Returns false if the frame is not known. */
bool pm_kernel_use_of(const struct pm_kernel_memory *memory, u64 pfn, struct pm_kernel_use *use);

/* Adds a frame, unless it is known already. Returns false if it is, or if there is no room. */
bool pm_kernel_memory_add(struct pm_kernel_memory *memory, u64 pfn, struct pm_kernel_use use);
/* The same for a block of frames that one entry of a page table maps, of 2 MiB. */
bool pm_kernel_memory_add_block(struct pm_kernel_memory *memory, u64 pfn,
				struct pm_kernel_use use);

#endif
