// SPDX-License-Identifier: MIT
#include "page_facts.h"

#include "emit/flags.h"
#include "page.h"

void pm_describe_page(struct pm_image *image, const struct pm_frame *frame, struct pm_page *record)
{
	struct pm_page_view page;

	record->count = 0;
	record->flags = PM_PAGE_NOPAGE;
	if (!frame->page)
		return;
	if (!pm_view_page(image, frame->page, frame->is_hugetlb, &page)) {
		image->notes.frame_excluded++;
		return;
	}
	record->count = pm_page_mapcount(&page);
	record->flags = pm_page_flags(&page, record->count, frame->by_pmd, frame->pfn == image->zero_pfn);
}
