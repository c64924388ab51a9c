/* SPDX-License-Identifier: MIT */
/* Use count and stable flags of one page, as in /proc/kpagecount and /proc/kpageflags. */
#ifndef PM_PAGE_FACTS_H
#define PM_PAGE_FACTS_H

#include "emit/records.h"
#include "image.h"

/* The frame of a page-table entry. */
struct pm_frame {
	__u64 pfn;
	__u64 page;		/* kernel address of its struct page; 0: it has none */
	bool by_pmd;		/* mapped by a pmd, so it may be the huge zero page */
	bool is_hugetlb;	/* in a VMA of hugetlb, which has no other pages */
};

/*
 * Sets count and flags. A frame without struct page, or whose struct page the dump lacks (noted),
 * has count 0 and NOPAGE.
 */
void pm_describe_page(struct pm_image *image, const struct pm_frame *frame,
		      struct pm_page *record);

#endif
