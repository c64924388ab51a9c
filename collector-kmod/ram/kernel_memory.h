/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames of kernel memory that no struct page identifies: stacks of tasks, vmalloc, modules, upper
 * page tables. They are looked up before the frames are read, in steps.
 */
#ifndef PM_KERNEL_MEMORY_H
#define PM_KERNEL_MEMORY_H

#include <linux/mm_types.h>
#include <linux/sched.h>

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

/* Looks up some more. Returns false if all is done. May sleep between RCU sections. */
bool pm_kernel_memory_step(struct pm_kernel_memory *memory);
void pm_kernel_memory_free(struct pm_kernel_memory *memory);

/* Returns false if the frame is not known. */
bool pm_kernel_use_of(const struct pm_kernel_memory *memory, u64 pfn, struct pm_kernel_use *use);

/* Adds a frame, unless it is known already. Returns false if it is, or if there is no room. */
bool pm_kernel_memory_add(struct pm_kernel_memory *memory, u64 pfn, struct pm_kernel_use use);
/* The same for a block of frames that one entry of a page table maps, of 2 MiB. */
bool pm_kernel_memory_add_block(struct pm_kernel_memory *memory, u64 pfn,
				struct pm_kernel_use use);

/*
 * Adds the upper page tables of a process. Its mm is kept by the caller. The kernel marks the lower
 * ones itself.
 */
void pm_add_tables_of(struct pm_kernel_memory *memory, const struct mm_struct *mm);

/*
 * Adds page tables of the kernel, and frames of vmalloc and modules, of at most one lowest table.
 * Returns false at the end.
 */
bool pm_add_kernel_tables(struct pm_kernel_memory *memory);

/* The number of the frame that holds page i of the task's stack; 0: unknown. Called under RCU. */
u64 pm_stack_frame(const struct task_struct *task, unsigned int i);

#endif
