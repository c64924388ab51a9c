/* SPDX-License-Identifier: GPL-2.0-only */
/* Use count and stable flags of one page, as in /proc/kpagecount and /proc/kpageflags. */
#ifndef PM_PAGE_FACTS_H
#define PM_PAGE_FACTS_H

#include "emit/records.h"
#include "compat.h"

/*
 * True: use counts are references to the page (as in the paper). False: page-table entries. Set
 * once, when the module is loaded.
 */
extern bool pm_count_references;

/* The value of the header's count key. */
const char *pm_count_kind(void);

/* The frame of a page-table entry. */
struct pm_frame {
	unsigned long pfn;
	bool has_page;	/* the frame is known to have a struct page; false: look it up */
	bool by_pmd;	/* mapped by a pmd, so it may be the huge zero page */
};

/*
 * Both are called with the lock of the entry's table held, so a counted page cannot be freed. A
 * frame without struct page (device memory) has count 0.
 */
__u64 pm_use_count(struct pm_frame frame);

/*
 * Flags as in /proc/kpageflags of a page and its folio, which may be copies. Those of free pages,
 * page tables and slabs (BUDDY, PGTABLE, SLAB, OFFLINE) and of the zero pages are not set.
 */
__u64 pm_folio_flags(struct page *page, pm_folio *folio, int mapcount, bool is_hugetlb);

/* Sets count and flags. */
void pm_describe_page(struct pm_frame frame, struct pm_page *page);

#endif
