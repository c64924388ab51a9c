/* SPDX-License-Identifier: MIT */
/* Frames whose struct pages say nothing, by what the kernel's own lists and tables say of them. */
#ifndef PM_MARKS_H
#define PM_MARKS_H

#include "emit/ram.h"

/* 24 bytes each; 64 GiB of such memory. */
#define PM_MAX_MARKS (1u << 24)

enum pm_mark_owner {
	PM_MARK_NOBODY,
	PM_MARK_TASK,		/* of: address of the task_struct */
	PM_MARK_CODE,		/* of: an address within a function */
	PM_MARK_MODULE,		/* of: address of the struct module */
	PM_MARK_NAME		/* of: pointer to a constant text of this program */
};

struct pm_mark {
	__u64 pfn;
	__u64 of;
	__u8 class_;	/* enum pm_ram_class */
	__u8 owner;	/* enum pm_mark_owner */
	bool is_tail;	/* valid only if the frame is a part of a block that is no folio */
};

struct pm_marks {
	struct pm_mark *at;
	size_t n, room;
	size_t next;		/* first mark that pm_marks_find() has not passed */
};

/* Returns false if out of memory, or if there are PM_MAX_MARKS. */
bool pm_marks_add(struct pm_marks *marks, const struct pm_mark *mark);
/* To be called after the last pm_marks_add(). */
void pm_marks_sort(struct pm_marks *marks);
/* The mark of the frame, or NULL. Frames must ascend from call to call. */
const struct pm_mark *pm_marks_find(struct pm_marks *marks, __u64 pfn);
/* The same in any order, but only a mark with this kind of owner. */
const struct pm_mark *pm_marks_search(const struct pm_marks *marks, __u64 pfn,
				      enum pm_mark_owner owner);
void pm_marks_free(struct pm_marks *marks);

#endif
