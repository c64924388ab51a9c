// SPDX-License-Identifier: MIT
#include "ram_page.h"

#include "emit/flags.h"
#include "page.h"
#include "vmcoreinfo.h"

/* Bits of page_type that are 1 if it is a set of types and not a mapcount. */
#define TYPE_BASE_OF_BITS 0xf0000000u
#define MAX_ORDER 15u	/* 10 with pages of 4 KiB; 13 with 64 KiB on arm64 */

/* Low bits of page->mapping, the same since v4.8. */
#define MAPPING_ANON 1u
#define MAPPING_MOVABLE 2u
#define MAPPING_BITS 3u

/* The bit of a type that is 0 in page_type, or 0. */
static __u32 type_bit(struct pm_image *image, const char *name)
{
	__u64 value = pm_vmcoreinfo_number(image, name);

	return value == PM_NONE ? 0 : ~(__u32)value;
}

bool pm_page_types_find(struct pm_page_types *types, struct pm_image *image)
{
	const struct pm_layout *layout = image->layout;
	__u32 buddy, offline;

	memset(types, 0xff, sizeof(*types));
	types->is_byte = layout->page_types != PM_NONE;
	if (types->is_byte) {
		types->buddy = layout->page_types;
		types->offline = layout->type_offline;
		types->table = layout->type_table;
		types->hugetlb = layout->type_hugetlb;
		types->slab = layout->type_slab;
		types->zsmalloc = layout->type_zsmalloc;
		types->large_kmalloc = layout->type_large_kmalloc;
		return true;
	}
	types->ignored = 0;
	buddy = type_bit(image, "PAGE_BUDDY_MAPCOUNT_VALUE");
	offline = type_bit(image, "PAGE_OFFLINE_MAPCOUNT_VALUE");
	/* The bits of the types are neighbours, in this order. */
	if (!buddy || (offline != buddy << 1 && offline != buddy >> 1))
		return false;
	types->buddy = buddy;
	types->offline = offline;
	types->table = offline > buddy ? offline << 1 : offline >> 1;
	/* Until v5.10 PG_kmemcg lies between, and tables that a group pays for have both. */
	if (layout->page_old_charge.offset >= 0) {
		types->ignored = offline << 1;
		types->table = offline << 2;
	}
	return true;
}

/* The type of the folio; PM_NONE: it has none. */
static __u64 type_of(const struct pm_page_view *page, const struct pm_page_types *types)
{
	__u32 raw = (__u32)pm_folio_number(page, page->image->layout->page_type);
	__u32 bit;

	if (types->is_byte)
		return raw >> 24 >= 0xf0 && raw >> 24 != 0xff ? raw >> 24 : PM_NONE;
	if ((raw & TYPE_BASE_OF_BITS) != TYPE_BASE_OF_BITS || raw == ~(__u32)0)
		return PM_NONE;
	bit = ~raw & ~types->ignored;
	return bit && !(bit & (bit - 1)) ? bit : PM_NONE;
}

static bool is_hugetlb(const struct pm_page_view *page, __u64 type_of_folio,
		       const struct pm_page_types *types)
{
	const struct pm_layout *layout = page->image->layout;

	if (types->hugetlb != PM_NONE)
		return type_of_folio == types->hugetlb;
	return page->is_large && layout->hugetlb_destructor != PM_NONE &&
	       pm_get(&page->image->memory, page->head + layout->page_struct,
		      layout->second_destructor) == layout->hugetlb_destructor;
}

/* The number of a page within its folio. */
static __u64 page_in_folio(const struct pm_page_view *page, __u64 at)
{
	return (at - page->head) / page->image->layout->page_struct;
}

static void set_file(struct pm_ram_facts *facts, const struct pm_page_view *page, __u64 at)
{
	facts->class_ = PM_RAM_FILE;	/* the caller knows the file system */
	facts->mapping = page->mapping;
	facts->place = pm_folio_number(page, page->image->layout->page_index) +
		       page_in_folio(page, at);
}

static void set_free(struct pm_ram_facts *facts, const struct pm_page_view *page, __u64 pfn)
{
	__u64 order = pm_page_number(page, page->image->layout->page_private);

	facts->class_ = PM_RAM_FREE;
	facts->flags = PM_PAGE_BUDDY;
	/* Blocks are aligned to their size. */
	if (order > MAX_ORDER || pfn & ((1ull << order) - 1))
		order = 0;
	facts->pages = 1ull << order;
	facts->place = order;
}

static void set_slab(struct pm_ram_facts *facts, const struct pm_page_view *page)
{
	facts->class_ = PM_RAM_SLAB;
	facts->flags = PM_PAGE_SLAB;
	facts->cache = pm_folio_number(page, page->image->layout->page_cache);
}

/* Sets the class of a page that has a type, or that only its flags identify. */
static bool set_by_type(struct pm_ram_facts *facts, const struct pm_page_view *page, __u64 type,
			const struct pm_page_types *types)
{
	if (type == types->offline && type != PM_NONE) {
		facts->class_ = PM_RAM_BALLOON;
		facts->flags = PM_PAGE_OFFLINE;
	} else if (type == types->table && type != PM_NONE) {
		facts->class_ = PM_RAM_PGTABLE;
		facts->flags |= PM_PAGE_PGTABLE;
	} else if (type == types->zsmalloc && type != PM_NONE) {
		facts->class_ = PM_RAM_ZSMALLOC;
	} else if (type == types->large_kmalloc && type != PM_NONE) {
		facts->class_ = PM_RAM_LARGE_KMALLOC;
	} else if ((type == types->slab && type != PM_NONE) ||
		   (types->slab == PM_NONE &&
		    pm_has_bit(page->folio_flags, page->image->layout->pg_slab))) {
		set_slab(facts, page);
	} else {
		return false;
	}
	return true;
}

/*
 * Whether the page is in a list: its neighbours point back to it. A page that is in none has poison
 * there (list_del), or its own address, or an address from earlier.
 */
static bool is_in_list(const struct pm_page_view *page, __u64 at)
{
	const struct pm_layout *layout = page->image->layout;
	__u64 to_prev = (__u64)(layout->page_prev.offset - layout->page_next.offset);
	__u64 next = pm_page_number(page, layout->page_next);
	__u64 prev = pm_page_number(page, layout->page_prev);
	__u64 own = at + (__u64)layout->page_next.offset;
	struct pm_memory *memory = &page->image->memory;
	__u64 missing = memory->missing, found = 0;
	bool is_in_list;

	is_in_list = next && prev && next != own &&
		     pm_read(memory, PM_KERNEL, next + to_prev, &found, sizeof(found)) &&
		     found == own &&
		     pm_read(memory, PM_KERNEL, prev, &found, sizeof(found)) && found == own;
	memory->missing = missing;	/* poison is no address */
	return is_in_list;
}

/* Free pages outside of the zones' lists are in per-CPU lists. */
static void set_unused(struct pm_ram_facts *facts, const struct pm_page_view *page, __u64 at)
{
	facts->is_unused = true;
	if (is_in_list(page, at))
		facts->class_ = PM_RAM_FREE_PERCPU;
}

static void set_by_mapping(struct pm_ram_facts *facts, const struct pm_page_view *page, __u64 at)
{
	const struct pm_layout *layout = page->image->layout;
	bool is_in_swap_cache = pm_has_bit(page->folio_flags, layout->pg_swapbacked) &&
				pm_has_bit(page->folio_flags, layout->pg_swapcache);

	if (page->mapping & MAPPING_ANON || (!page->mapping && is_in_swap_cache))
		facts->class_ = PM_RAM_ANON;
	else if (page->mapping & MAPPING_MOVABLE)
		facts->class_ = PM_RAM_ZSMALLOC;
	else if (page->mapping)
		set_file(facts, page, at);
	else if (!pm_page_number(page, layout->page_refcount) &&
		 !pm_folio_number(page, layout->page_refcount))
		set_unused(facts, page, at);
}

/* A slab has the charges of its objects there, and a page in a balloon has none. */
static void set_in_use(struct pm_ram_facts *facts, const struct pm_page_view *page, __u64 at,
		       __u64 type, const struct pm_page_types *types)
{
	if (!set_by_type(facts, page, type, types))
		set_by_mapping(facts, page, at);
	if (facts->class_ != PM_RAM_SLAB && facts->class_ != PM_RAM_BALLOON)
		facts->charge = pm_folio_number(page, page->image->layout->page_charge);
}

/* x86 and arm64 with 4 KiB pages; the variable is all ones while there is none. */
#define PAGES_OF_HUGE_ZERO 512u

static bool is_huge_zero(struct pm_image *image, __u64 pfn)
{
	__u64 first = image->huge_zero_pfn;

	return first && pfn >= first && pfn - first < PAGES_OF_HUGE_ZERO;
}

static bool has_any(const struct pm_page_view *page, __u64 first, __u64 second)
{
	return pm_has_bit(page->folio_flags, first) || pm_has_bit(page->folio_flags, second);
}

/* No process maps it. Until v5.10 a frame that a group pays for has its mark in this field. */
static bool is_without_count(const struct pm_page_view *page, const struct pm_page_types *types)
{
	__u32 ignored = types->is_byte ? 0 : types->ignored;

	return (page->mapcount | ignored) == ~(__u32)0;
}

bool pm_is_kernel_frame(struct pm_image *image, const struct pm_page_types *types, __u64 pfn)
{
	const struct pm_layout *layout = image->layout;
	struct pm_page_view page;
	__u64 at = pm_page_of(image, pfn), type;

	if (!at || !pm_view_page(image, at, false, &page) ||
	    pm_has_bit(page.flags, layout->pg_hwpoison) ||
	    pm_has_bit(page.folio_flags, layout->pg_hwpoison))
		return false;
	type = type_of(&page, types);
	if (type != PM_NONE && type == types->offline)	/* drivers mark some as reserved, too */
		return false;
	if (pm_has_bit(page.flags, layout->pg_reserved))
		return true;
	if (type != PM_NONE)
		return type == types->table || type == types->slab || type == types->large_kmalloc;
	if (types->slab == PM_NONE && pm_has_bit(page.folio_flags, layout->pg_slab))
		return true;
	return !page.mapping && is_without_count(&page, types) &&
	       pm_folio_number(&page, layout->page_refcount) &&
	       !has_any(&page, layout->pg_lru, layout->pg_swapbacked) &&
	       !has_any(&page, layout->pg_unevictable, layout->pg_swapcache) &&
	       !is_hugetlb(&page, type, types);
}

bool pm_find_ram_facts(struct pm_image *image, const struct pm_page_types *types, __u64 pfn,
		  struct pm_ram_facts *facts)
{
	__u64 at = pm_page_of(image, pfn), type;
	struct pm_page_view page;

	*facts = (struct pm_ram_facts){ .class_ = PM_RAM_UNMARKED, .pages = 1 };
	if (!at || !pm_view_page(image, at, false, &page))
		return false;
	type = type_of(&page, types);
	if (type == types->buddy && type != PM_NONE) {
		set_free(facts, &page, pfn);
		return true;
	}
	page.is_hugetlb = is_hugetlb(&page, type, types);
	facts->count = pm_page_mapcount(&page);
	facts->flags = pm_page_flags(&page, facts->count, false, pfn == image->zero_pfn) &
		       ~PM_RAM_FLAGS_LEFT_OUT;
	if (is_huge_zero(image, pfn)) {
		facts->class_ = PM_RAM_ZERO;
		facts->flags |= PM_PAGE_THP | PM_PAGE_ZERO_PAGE;
	} else if (pm_has_bit(page.flags, image->layout->pg_reserved)) {
		facts->class_ = pfn == image->zero_pfn ? PM_RAM_ZERO : PM_RAM_RESERVED;
	} else if (facts->flags & PM_PAGE_HWPOISON) {
		facts->class_ = PM_RAM_POISON;
	} else if (page.is_hugetlb) {
		facts->class_ = PM_RAM_HUGETLB;
	} else {
		set_in_use(facts, &page, at, type, types);
	}
	return true;
}
