// SPDX-License-Identifier: MIT
#include "page_facts.h"

#include "emit/flags.h"

/* Low bits of the mapping field; the same since v2.6.32. */
#define MAPPING_ANON 1u
#define MAPPING_KSM 3u

#define MAX_STRUCT_PAGE 256u	/* bytes */

/* One struct page, and the folio that it is part of: the page itself, or its head. */
struct page {
	struct pm_image *image;
	__u64 head;			/* kernel address of the folio */
	__u64 flags, folio_flags;	/* raw */
	__u64 mapping;			/* of the folio */
	__u32 mapcount;			/* raw _mapcount: -1 is 0 mappings */
	bool is_large, is_head, is_hugetlb;
};

static bool has_bit(__u64 bits, __u64 number)
{
	return number != PM_NONE && bits >> number & 1;
}

static __u64 number_in(const unsigned char *bytes, struct pm_field field)
{
	return pm_number(bytes + field.offset, (size_t)field.size);
}

static bool read_struct(struct pm_image *image, __u64 at, unsigned char *bytes)
{
	size_t size = image->layout->page_struct;

	return at && size <= MAX_STRUCT_PAGE &&
	       pm_read(&image->memory, PM_KERNEL, at, bytes, size);
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

static bool read_page(struct pm_image *image, __u64 at, bool is_hugetlb, struct page *page)
{
	const struct pm_layout *layout = image->layout;
	unsigned char bytes[MAX_STRUCT_PAGE];
	__u64 head;

	if (!read_struct(image, at, bytes))
		return false;
	head = number_in(bytes, layout->page_head);
	page->image = image;
	page->is_hugetlb = is_hugetlb;
	page->flags = number_in(bytes, layout->page_flags);
	page->mapcount = (__u32)number_in(bytes, layout->page_mapcount);
	page->head = head & 1 ? head_of(layout, at, head) : at;
	page->is_head = page->head == at;
	if (!page->is_head && !read_struct(image, page->head, bytes))
		return false;
	page->folio_flags = number_in(bytes, layout->page_flags);
	page->mapping = number_in(bytes, layout->page_mapping);
	page->is_large = has_bit(page->folio_flags, layout->pg_head);
	return true;
}

/* Number of entries that map a large folio as a whole. */
static __s64 entire_mapcount(const struct page *page)
{
	const struct pm_layout *layout = page->image->layout;

	if (layout->folio_entire_mapcount.offset >= 0)
		return (__s32)PM_GET(page->image, page->head, folio_entire_mapcount) + 1;
	return (__s32)PM_GET(page->image, page->head + layout->page_struct, second_mapcount) + 1;
}

/* Raw flags of the second page, which hold flags of the folio. */
static __u64 second_flags(const struct page *page)
{
	return PM_GET(page->image, page->head + page->image->layout->page_struct, page_flags);
}

/*
 * The count that /proc/kpagecount reports for a page that processes use: page_mapcount(), since
 * v6.11 folio_precise_page_mapcount().
 */
static __u64 mapcount_of(const struct page *page)
{
	const struct pm_layout *layout = page->image->layout;
	/* Values below -1 are a page type, stored in the same field. */
	__s64 count = (__s32)page->mapcount < -1 ? 0 : (__s64)(__s32)page->mapcount + 1;
	bool is_of_file = !(page->mapping & MAPPING_ANON) && !page->is_hugetlb;

	/* With double maps, folios of files are counted in their parts only. */
	if (page->is_large && !(layout->has_double_map && is_of_file)) {
		count += entire_mapcount(page);
		if (layout->has_double_map && has_bit(second_flags(page), layout->pg_double_map))
			count--;
	}
	return count > 0 ? (__u64)count : 0;
}

/*
 * Flags that /proc/kpageflags copies from page->flags. Their bit positions differ between kernels.
 */
static __u64 copied_flags(const struct pm_layout *layout, __u64 bits)
{
	return (has_bit(bits, layout->pg_locked) ? PM_PAGE_LOCKED : 0) |
	       (has_bit(bits, layout->pg_error) ? PM_PAGE_ERROR : 0) |
	       (has_bit(bits, layout->pg_referenced) ? PM_PAGE_REFERENCED : 0) |
	       (has_bit(bits, layout->pg_uptodate) ? PM_PAGE_UPTODATE : 0) |
	       (has_bit(bits, layout->pg_dirty) ? PM_PAGE_DIRTY : 0) |
	       (has_bit(bits, layout->pg_lru) ? PM_PAGE_LRU : 0) |
	       (has_bit(bits, layout->pg_active) ? PM_PAGE_ACTIVE : 0) |
	       (has_bit(bits, layout->pg_writeback) ? PM_PAGE_WRITEBACK : 0) |
	       (has_bit(bits, layout->pg_reclaim) ? PM_PAGE_RECLAIM : 0) |
	       (has_bit(bits, layout->pg_swapbacked) ? PM_PAGE_SWAPBACKED : 0) |
	       (has_bit(bits, layout->pg_unevictable) ? PM_PAGE_UNEVICTABLE : 0) |
	       (has_bit(bits, layout->pg_idle) ? PM_PAGE_IDLE : 0);
}

/* Whether /proc/kpageflags reports a large folio (not hugetlb) as THP. */
static bool is_thp(const struct page *page)
{
	const struct pm_layout *layout = page->image->layout;

	if (layout->shows_folio_flags)
		return has_bit(second_flags(page), layout->pg_large_rmappable);
	return has_bit(page->folio_flags, layout->pg_lru) || page->mapping & MAPPING_ANON;
}

static __u64 compound_flags(const struct page *page)
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
static bool is_poisoned(const struct page *page)
{
	const struct pm_layout *layout = page->image->layout;
	bool is_by_head = layout->shows_folio_flags && page->is_large && page->is_hugetlb;

	return has_bit(is_by_head ? page->folio_flags : page->flags, layout->pg_hwpoison);
}

/*
 * Flags of a frame that a process maps. Flags of free pages, page tables and slabs (BUDDY, PGTABLE,
 * SLAB, OFFLINE) cannot occur.
 */
static __u64 flags_of(const struct page *page, __u64 mapcount, bool by_pmd, bool is_zero)
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
	if (has_bit(page->folio_flags, layout->pg_swapbacked) &&
	    has_bit(page->folio_flags, layout->pg_swapcache))
		flags |= PM_PAGE_SWAPCACHE;
	return is_poisoned(page) ? flags | PM_PAGE_HWPOISON : flags;
}

void pm_describe_page(struct pm_image *image, struct pm_frame frame, struct pm_page *record)
{
	__u64 at = pm_page_of(image, frame.pfn);
	struct page page;

	record->count = 0;
	record->flags = PM_PAGE_NOPAGE;
	if (!at)
		return;
	if (!read_page(image, at, frame.is_hugetlb, &page)) {
		image->notes.frame_excluded++;
		return;
	}
	record->count = mapcount_of(&page);
	record->flags = flags_of(&page, record->count, frame.by_pmd, frame.pfn == image->zero_pfn);
}
