/* SPDX-License-Identifier: MIT */
/* Page tables of one range of addresses, a bounded stretch at a time. */
#ifndef PM_PTE_WALK_H
#define PM_PTE_WALK_H

#include "emit/records.h"
#include "image.h"
#include "seen.h"

/* The most records of one call; larger than in the module, which holds a lock meanwhile. */
#define PM_STEP 8192

/* Addresses of one area. */
struct pm_range {
	__u64 start, end;
	bool is_hugetlb;
	__u64 shared_memory;	/* root of the file's page cache (file_swap.h); 0: there is none */
	__u64 first_index;	/* of the page of start in the file */
	bool has_no_pages;	/* a mapping of a device, whose frames are not the process's: as in /proc/PID/pagemap */
};

/* The page tables of an address space. */
struct pm_tables {
	__u64 top;		/* kernel address */
	__u64 bytes_left;	/* of tables below it that the kernel has counted and that were not met yet */
	struct pm_seen seen;	/* tables, by the addresses that they are for */
};

/* Begins with the tables of mm; what the last one took is used again. */
void pm_tables_open(struct pm_image *image, struct pm_tables *tables, __u64 mm);
void pm_tables_close(struct pm_tables *tables);

/* What one call found, in order of addresses. */
struct pm_stretch {
	struct pm_page pages[PM_STEP];
	struct pm_swap swapped[PM_STEP];
	size_t n_pages, n_swapped;
};

/*
 * Goes through range from va on; returns where the next call must go on: range->end when all was
 * seen.
 */
__u64 pm_pte_walk(struct pm_image *image, struct pm_tables *tables, const struct pm_range *range, __u64 va,
		  struct pm_stretch *found);

#endif
