/* SPDX-License-Identifier: MIT */
/* One struct page, and the folio that it is part of. */
#ifndef PM_PAGE_H
#define PM_PAGE_H

#include "image.h"

#define PM_MAX_STRUCT_PAGE 256u	/* bytes */

struct pm_page_view {
	struct pm_image *image;
	__u64 head;			/* kernel address of the folio: the page itself, or its head */
	__u64 flags, folio_flags;	/* raw */
	__u64 mapping;			/* of the folio */
	__u32 mapcount;			/* raw _mapcount: -1 is 0 mappings */
	bool is_large, is_head, is_hugetlb;
	unsigned char own[PM_MAX_STRUCT_PAGE];	/* the struct page */
	unsigned char other[PM_MAX_STRUCT_PAGE];
	const unsigned char *folio;		/* the head's struct page: own, or other */
};

/*
 * Adds the frame's struct page to those that are read together (page_window.h). Returns false if
 * there is no room.
 */
bool pm_want_page(struct pm_image *image, __u64 pfn);

/* Reads the struct page at this kernel address. False if the dump lacks it. */
bool pm_view_page(struct pm_image *image, __u64 at, bool is_hugetlb, struct pm_page_view *page);

/* A member of the page, or of its folio; 0 if this kernel has no such member. */
static inline __u64 pm_number_in(const struct pm_image *image, const unsigned char *bytes,
				 struct pm_field field)
{
	size_t size = image->layout->page_struct;

	if (field.offset < 0 || (size_t)(field.offset + field.size) > size)
		return 0;
	return pm_number(bytes + field.offset, (size_t)field.size);
}

static inline __u64 pm_page_number(const struct pm_page_view *page, struct pm_field field)
{
	return pm_number_in(page->image, page->own, field);
}

static inline __u64 pm_folio_number(const struct pm_page_view *page, struct pm_field field)
{
	return pm_number_in(page->image, page->folio, field);
}

/*
 * The count that /proc/kpagecount reports for a page that processes use: page_mapcount(), since
 * v6.11 folio_precise_page_mapcount().
 */
__u64 pm_page_mapcount(const struct pm_page_view *page);

/*
 * The flags that /proc/kpageflags reports, without the page's type (BUDDY, PGTABLE, SLAB, OFFLINE),
 * because a page that a process maps has none of these types.
 */
__u64 pm_page_flags(const struct pm_page_view *page, __u64 mapcount, bool by_pmd, bool is_zero);

#endif
