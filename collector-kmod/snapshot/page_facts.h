/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel's books say of one page: use count and stable flags, as /proc/kpagecount and
 * /proc/kpageflags do.
 */
#ifndef PM_PAGE_FACTS_H
#define PM_PAGE_FACTS_H

#include "emit/records.h"

/*
 * Use counts are references to the page (the paper's), not page-table entries. Set once, when the
 * module is loaded.
 */
extern bool pm_count_references;

/* Word for the header's count key. */
const char *pm_count_kind(void);

/* A frame that a page-table entry names. */
struct pm_frame {
	unsigned long pfn;
	bool has_page;	/* the entry is an ordinary one, so the frame has a struct page; else that is looked up */
	bool by_pmd;	/* the entry is a huge one of the middle level, so the frame may be the huge zero page's */
};

/*
 * Both are asked with the lock of the entry's table held: then a page that is counted cannot go
 * away. A frame without struct page (device memory) has count 0.
 */
__u64 pm_use_count(struct pm_frame frame);

/* Sets count and flags. */
void pm_describe_page(struct pm_frame frame, struct pm_page *page);

#endif
