/* SPDX-License-Identifier: MIT */
/* Visits page tables and what they map, of the kernel or of a process. */
#ifndef PM_KERNEL_TABLES_H
#define PM_KERNEL_TABLES_H

#include "image.h"

struct pm_table_visitor {
	/* Tables of this level and above are read. Those below are visited only. */
	unsigned int lowest;
	/* Called for each table except the top one; NULL: not of interest. False ends the walk. */
	bool (*table)(void *self, __u64 pfn);
	/* Called for frames that are mapped by an entry of a table that is read. The same. */
	bool (*leaf)(void *self, __u64 pfn, __u64 pages);
	void *self;
};

/*
 * Visits what the table at the kernel address top maps from start to end - 1. Each table is visited
 * once. Returns 0, -EINTR, -ENOMEM, or -ECANCELED if a function of the visitor returned false.
 */
int pm_visit_tables(struct pm_image *image, __u64 top, __u64 start, __u64 end,
		    const struct pm_table_visitor *visitor);

#endif
