/* SPDX-License-Identifier: MIT */
/* Walks the page tables of one address range, in bounded steps. */
#ifndef PM_PTE_WALK_H
#define PM_PTE_WALK_H

#include "emit/records.h"
#include "image.h"
#include "seen.h"

/* Maximum records per call; larger than in the module, which holds a lock during a call. */
#define PM_STEP 8192

/* The address range of one VMA. */
struct pm_range {
	__u64 start, end;
	bool is_hugetlb;
	__u64 shared_memory;	/* root of the file's page cache (file_swap.h); 0: none */
	__u64 first_index;	/* index in the file of the page at start */
	bool has_no_pages;	/* a device mapping: not listed, as in /proc/PID/pagemap */
};

/* The page tables of an address space. */
struct pm_tables {
	__u64 top;		/* kernel address */
	__u64 bytes_left;	/* of tables below it, as counted by the kernel, not seen yet */
	struct pm_seen seen;	/* tables, by the addresses that they map */
	size_t step;		/* records of each kind per call, up to PM_STEP */
	bool without_facts;	/* of pages: their counts and flags are not read */
	bool is_fetched;	/* their struct pages have been read (area_prefetch.h) */
};

/*
 * Prepares the walk of mm's tables, by whole steps and with facts. Reuses the memory of the
 * previous walk.
 */
void pm_tables_open(struct pm_image *image, struct pm_tables *tables, __u64 mm);
void pm_tables_close(struct pm_tables *tables);

/* The result of one call, in order of addresses. */
struct pm_stretch {
	struct pm_page pages[PM_STEP];
	struct pm_swap swapped[PM_STEP];
	size_t n_pages, n_swapped;
	bool is_guarded;	/* the first page of the range is a guard page */
};

/*
 * Walks range from va on. Returns the address where the next call must continue; range->end if
 * complete.
 */
__u64 pm_pte_walk(struct pm_image *image, struct pm_tables *tables, const struct pm_range *range,
		  __u64 va, struct pm_stretch *found);

#endif
