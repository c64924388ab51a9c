/* SPDX-License-Identifier: MIT */
/*
 * What the kernel's books say of one page: use count and stable flags, as /proc/kpagecount and
 * /proc/kpageflags do.
 */
#ifndef PM_PAGE_FACTS_H
#define PM_PAGE_FACTS_H

#include "emit/records.h"
#include "image.h"

/* A frame that an entry of a page table names. */
struct pm_frame {
	__u64 pfn;
	bool by_pmd;		/* of the middle level: it may be the huge zero page's */
	bool is_hugetlb;	/* in an area of hugetlb, whose pages are of no other kind */
};

/*
 * Sets count and flags. A frame without struct page, or whose struct page the dump lacks (noted),
 * has count 0 and NOPAGE.
 */
void pm_describe_page(struct pm_image *image, struct pm_frame frame, struct pm_page *record);

#endif
