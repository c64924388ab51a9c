/* SPDX-License-Identifier: MIT */
/*
 * Whether an address space of a running kernel has changed: what the kernel itself counts when it
 * maps, unmaps, protects or reclaims, as far as this kernel has it. Faults that fill a page do not
 * show; each entry is true at its time, as in /proc.
 */
#ifndef PM_SPACE_STATE_H
#define PM_SPACE_STATE_H

#include "task_list.h"

struct pm_space_state {
	__u64 pid, mm;		/* of the task */
	__u64 users;		/* mm_users; 0: it ends */
	__u64 areas, pages;	/* map_count, total_vm */
	__u64 root;		/* of the tree of areas */
	__u64 sequence;		/* mm_lock_seq: since v6.4, with CONFIG_PER_VMA_LOCK */
	bool is_locked;		/* mmap_lock is held for writing: it changes now */
	__u64 tables;		/* context.tlb_gen, on x86: grows before a table is freed */
};

/*
 * Reads it from the kernel, not from cached blocks. Returns false if the task or its space ended.
 */
bool pm_read_space_state(struct pm_image *image, const struct pm_task_entry *task,
			 struct pm_space_state *state);

static inline bool pm_is_same_space(const struct pm_space_state *a, const struct pm_space_state *b)
{
	return !a->is_locked && !b->is_locked && a->areas == b->areas && a->pages == b->pages &&
	       a->root == b->root && a->sequence == b->sequence && a->tables == b->tables;
}

#endif
