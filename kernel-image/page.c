// SPDX-License-Identifier: MIT
#include "page.h"

#include "emit/flags.h"

/* Low bits of the mapping field; the same since v2.6.32. */
#define MAPPING_ANON 1u
#define MAPPING_KSM 3u

#define USUAL_STRUCT_PAGE 64u	/* bytes */

/* Frames whose struct pages are read together: often some near one that is needed are, too. */
#define NEAR 4u

bool pm_want_page(struct pm_image *image, __u64 pfn)
{
	__u64 at = pm_page_of(image, pfn - pfn % NEAR);

	return !at || pm_window_add(&image->memory.window, at, NEAR * image->layout->page_struct);
}

static bool read_struct(struct pm_image *image, __u64 at, unsigned char *bytes)
{
	size_t size = image->layout->page_struct;
	const unsigned char *found = at ? pm_window_find(&image->memory.window, at, size) : NULL;

	if (at && !found)
		found = pm_peek(&image->memory, at, size);
	if (found && size == USUAL_STRUCT_PAGE)
		memcpy(bytes, found, USUAL_STRUCT_PAGE);	/* faster than any size */
	else if (at && size <= PM_MAX_STRUCT_PAGE)
		return pm_read(&image->memory, PM_KERNEL, at, bytes, size);
	return found;
}

/*
 * Returns the head of a tail page. The value is the address of the head plus 1. If the size of a
 * struct page is a power of two, it may be a mask plus 1 that turns the page's address into the
 * head's (compound_info, after v6.18). A mask is ones above zeros, which no address is.
 */
static __u64 head_of(const struct pm_layout *layout, __u64 at, __u64 value)
{
	__u64 below = ~(value - 1);
	bool is_mask = !(below & (below + 1)) && below > layout->page_struct;

	return is_mask ? at & (value - 1) : value - 1;
}

bool pm_view_page(struct pm_image *image, __u64 at, bool is_hugetlb, struct pm_page_view *page)
{
	const struct pm_layout *layout = image->layout;
	__u64 head;

	page->image = image;
	page->is_hugetlb = is_hugetlb;
	if (!read_struct(image, at, page->own))
		return false;
	head = pm_page_number(page, layout->page_head);
	page->flags = pm_page_number(page, layout->page_flags);
	page->mapcount = (__u32)pm_page_number(page, layout->page_mapcount);
	page->head = head & 1 ? head_of(layout, at, head) : at;
	page->is_head = page->head == at;
	page->folio = page->is_head ? page->own : page->other;
	if (!page->is_head && !read_struct(image, page->head, page->other))
		return false;
	page->folio_flags = pm_folio_number(page, layout->page_flags);
	page->mapping = pm_folio_number(page, layout->page_mapping);
	page->is_large = pm_has_bit(page->folio_flags, layout->pg_head);
	return true;
}

/* Number of entries that map a large folio as a whole. */
static __s64 entire_mapcount(const struct pm_page_view *page)
{
	const struct pm_layout *layout = page->image->layout;

	if (layout->folio_entire_mapcount.offset >= 0)
		return (__s32)PM_GET(page->image, page->head, folio_entire_mapcount) + 1;
	return (__s32)PM_GET(page->image, page->head + layout->page_struct, second_mapcount) + 1;
}

/* Raw flags of the second page, which hold flags of the folio. */
static __u64 second_flags(const struct pm_page_view *page)
{
	return PM_GET(page->image, page->head + page->image->layout->page_struct, page_flags);
}

/*
 * The count that /proc/kpagecount reports for a page that processes use: page_mapcount(), since
 * v6.11 folio_precise_page_mapcount().
 */
__u64 pm_page_mapcount(const struct pm_page_view *page)
{
	const struct pm_layout *layout = page->image->layout;
	/* Values below -1 are a page type, stored in the same field. */
	__s64 count = (__s32)page->mapcount < -1 ? 0 : (__s64)(__s32)page->mapcount + 1;
	bool is_of_file = !(page->mapping & MAPPING_ANON) && !page->is_hugetlb;

	/* With double maps, folios of files are counted in their parts only. */
	if (page->is_large && !(layout->has_double_map && is_of_file)) {
		count += entire_mapcount(page);
		if (layout->has_double_map && pm_has_bit(second_flags(page), layout->pg_double_map))
			count--;
	}
	return count > 0 ? (__u64)count : 0;
}

/* Flags that /proc/kpageflags copies from page->flags. */
static __u64 copied_flags(const struct pm_layout *layout, __u64 bits)
{
	return layout->copied_flags[0][bits & 0xff] | layout->copied_flags[1][bits >> 8 & 0xff] |
	       layout->copied_flags[2][bits >> 16 & 0xff] |
	       layout->copied_flags[3][bits >> 24 & 0xff];
}

/* Whether /proc/kpageflags reports a large folio (not hugetlb) as THP. */
static bool is_thp(const struct pm_page_view *page)
{
	const struct pm_layout *layout = page->image->layout;

	if (layout->shows_folio_flags)
		return pm_has_bit(second_flags(page), layout->pg_large_rmappable);
	return pm_has_bit(page->folio_flags, layout->pg_lru) || page->mapping & MAPPING_ANON;
}

static __u64 compound_flags(const struct pm_page_view *page)
{
	__u64 flags = page->is_head ? PM_PAGE_COMPOUND_HEAD : PM_PAGE_COMPOUND_TAIL;

	if (page->is_hugetlb)
		return flags | PM_PAGE_HUGE;
	return is_thp(page) ? flags | PM_PAGE_THP : flags;
}

static __u64 mapping_flags(__u64 mapping)
{
	if ((mapping & MAPPING_KSM) == MAPPING_KSM)
		return PM_PAGE_ANON | PM_PAGE_KSM;
	return mapping & MAPPING_ANON ? PM_PAGE_ANON : 0;
}

/*
 * For hugetlb the head page is marked, for other compound pages the page itself. Before v6.10 the
 * flag of the page itself was always shown.
 */
static bool is_poisoned(const struct pm_page_view *page)
{
	const struct pm_layout *layout = page->image->layout;
	bool is_by_head = layout->shows_folio_flags && page->is_large && page->is_hugetlb;

	return pm_has_bit(is_by_head ? page->folio_flags : page->flags, layout->pg_hwpoison);
}

/*
 * Flags of a frame that a process maps. Flags of free pages, page tables and slabs (BUDDY, PGTABLE,
 * SLAB, OFFLINE) cannot occur.
 */
__u64 pm_page_flags(const struct pm_page_view *page, __u64 mapcount, bool by_pmd, bool is_zero)
{
	const struct pm_layout *layout = page->image->layout;
	__u64 flags = mapping_flags(page->mapping);

	flags |= copied_flags(layout, layout->shows_folio_flags ? page->folio_flags : page->flags);
	if (mapcount)
		flags |= PM_PAGE_MMAP;
	if (page->is_large) {
		flags |= compound_flags(page);
		/*
		 * The huge zero page has no flag of its own. It is a compound page without mapping,
		 * mapped but with mapcount 0.
		 */
		if (by_pmd && !mapcount && !page->mapping)
			flags |= PM_PAGE_THP | PM_PAGE_ZERO_PAGE;
	} else if (is_zero) {
		flags |= PM_PAGE_ZERO_PAGE;
	}
	if (pm_has_bit(page->folio_flags, layout->pg_swapbacked) &&
	    pm_has_bit(page->folio_flags, layout->pg_swapcache))
		flags |= PM_PAGE_SWAPCACHE;
	return is_poisoned(page) ? flags | PM_PAGE_HWPOISON : flags;
}

