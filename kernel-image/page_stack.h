/* SPDX-License-Identifier: MIT */
/*
 * The functions that allocated a frame, where the kernel records them: CONFIG_PAGE_OWNER and the
 * boot parameter page_owner=on.
 */
#ifndef PM_PAGE_STACK_H
#define PM_PAGE_STACK_H

#include "marks.h"
#include "sections.h"

/* Bytes of a stack's text, with the zero byte. A stack of 16 functions has about 500. */
#define PM_STACK_TEXT_BYTES 1024u
#define PM_MAX_STACK_POOLS 8192u	/* DEPOT_POOLS_CAP in lib/stackdepot.c */
#define PM_STACK_POOL_ORDER 2u		/* DEPOT_POOL_ORDER: the frames of a pool */

struct pm_page_stacks {
	struct pm_image *image;
	struct pm_sections sections;
	__u64 record_bytes;	/* of one frame in the arrays of struct page_ext */
	__u64 user;		/* offset of struct page_owner in it */
	__u64 pools, n_pools;	/* the array of pools of stacks */
	const struct pm_marks *marks;	/* sorted; for names of modules. NULL: none */
	unsigned int format;	/* 1 + number of the known format of handles; 0: not known yet */
};

/* Returns false if the kernel records no stacks, or if its records are not described. */
bool pm_page_stacks_open(struct pm_page_stacks *stacks, struct pm_image *image);
/* Kernel address of the frame's struct page_ext. 0: none. */
__u64 pm_page_record_of(struct pm_page_stacks *stacks, __u64 pfn);
/* The kernel's handle of the stack that allocated the frame. 0: none, or the frame is free. */
__u32 pm_page_stack_of(struct pm_page_stacks *stacks, __u64 pfn);
/*
 * Writes the functions of a stack, the innermost first: "f+0x12 <- g+0x34". Those of the page
 * allocator at the beginning are left out. Returns the length; 0: the handle or the stack
 * contradicts itself, or it stands for an unknown one.
 */
size_t pm_page_stack_text(struct pm_page_stacks *stacks, __u32 handle, char *to, size_t room);

#endif
