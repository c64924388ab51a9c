/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the frames of RAM in order, and writes their runs and owners. Each step is one RCU section,
 * in which everything that a struct page points to stays allocated: see file_owner.c and
 * cgroup_owner.c. Struct pages exist as long as their memory is online, see ram_section.c.
 */
#ifndef PM_FRAME_WALK_H
#define PM_FRAME_WALK_H

#include "frame_class.h"
#include "kernel_memory.h"
#include "owners.h"
#include "ram_map.h"

/* Bound of the work of a step, in runs that are read on their own: 60,000 instructions. */
#define PM_RAM_STEP 128

/* No frame. */
#define PM_NO_FRAME (~0ull)

struct pm_frame_walk {
	struct pm_page_copy copy;
	struct pm_ram_facts facts;		/* of the last frame */
	struct pm_ram_writer writer;
	struct pm_ram_map map;
	size_t span;		/* in map */
	u64 next;		/* the next frame */
	u64 online_end;		/* frames from next to here are online, in this RCU section */
	u64 free_end;		/* frames from next to here are in the free block of facts */
	u64 listed;		/* last frame in a per-CPU list, if only unused ones follow */
	u64 huge_zero;		/* first frame of the huge zero page, or PM_NO_FRAME */
	struct pm_kernel_memory kernel_memory;
	struct pm_owners owners;
};

/* Reads some more frames. Returns false at the end. */
bool pm_frame_walk_step(struct pm_frame_walk *walk);

#endif
