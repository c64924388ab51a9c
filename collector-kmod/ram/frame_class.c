// SPDX-License-Identifier: GPL-2.0-only
#include "frame_class.h"

#include "emit/flags.h"
#include "kernel/page_facts.h"

/*
 * Low bit of the mapping field of pages that the kernel may move (zsmalloc), until v6.16. In later
 * kernels only anonymous pages have this bit, with that of PM_MAPPING_ANON.
 */
#define MAPPING_MOVABLE 2ul

/* The largest folio, a page of hugetlb, in struct pages: 16 GiB of 4 KiB. */
#define MAX_FOLIO_PAGES (4ul << 20)

#define COPIES 3

/*
 * Copies the struct page of the frame and those of its folio. Returns false if they contradict each
 * other: the folio is being made or split.
 */
static bool take_copy(struct page *page, struct pm_page_copy *copy)
{
	struct page *head = (struct page *)compound_head(page);

	if (head > page || page - head >= MAX_FOLIO_PAGES)
		return false;
	memcpy(&copy->own, page, sizeof(*page));
	memcpy(&copy->head[0], head, sizeof(*head));
	if (PageTail(&copy->head[0]) || compound_head(page) != head)
		return false;
	if (pm_is_large(pm_copied_folio(copy)))
		memcpy(&copy->head[1], head + 1, sizeof(*head));
	return true;
}

/* Free blocks are aligned to their size. */
static void set_free(struct page *page, const struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	unsigned long order = page_private(&copy->own);

	if (order > PM_MAX_ORDER || page_to_pfn(page) & ((1ul << order) - 1))
		order = 0;
	facts->class_ = PM_RAM_FREE;
	facts->flags = PM_PAGE_BUDDY;
	facts->pages = 1ul << order;
	facts->place = order;
}

/* Sets the class of a page that has a type, or that only its flags identify. */
static bool set_by_type(struct page *head, struct pm_ram_facts *facts)
{
	if (PageOffline(head)) {
		facts->class_ = PM_RAM_BALLOON;
		facts->flags = PM_PAGE_OFFLINE;
	} else if (PageTable(head)) {
		facts->class_ = PM_RAM_PGTABLE;
		facts->flags = PM_PAGE_PGTABLE;
	} else if (pm_is_zsmalloc(head)) {
		facts->class_ = PM_RAM_ZSMALLOC;
	} else if (pm_is_large_kmalloc(head)) {
		facts->class_ = PM_RAM_LARGE_KMALLOC;
	} else if (PageSlab(head)) {
		facts->class_ = PM_RAM_SLAB;
		facts->flags = PM_PAGE_SLAB;
	} else {
		return false;
	}
	return true;
}

/*
 * Whether the page is in a list: its neighbours point back to it. A page that is in none has poison
 * there (list_del), or its own address, or an address from earlier.
 */
static bool is_in_list(struct page *page, const struct pm_page_copy *copy)
{
	struct list_head *next = copy->own.lru.next, *prev = copy->own.lru.prev, *found;

	return next && prev && next != &page->lru &&
	       pm_read_safely(&found, &next->prev, sizeof(found)) && found == &page->lru &&
	       pm_read_safely(&found, &prev->next, sizeof(found)) && found == &page->lru;
}

static void set_file(struct page *page, struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	struct page *head = (struct page *)compound_head(page);

	facts->class_ = PM_RAM_FILE;	/* its owner tells block and shmem apart */
	facts->mapping = copy->head[0].mapping;
	facts->place = pm_index_of(copy) + (page - head);
}

static void set_by_mapping(struct page *page, struct pm_page_copy *copy,
			   struct pm_ram_facts *facts)
{
	unsigned long swap_bits = BIT(PG_swapbacked) | BIT(PG_swapcache);
	unsigned long mapping = (unsigned long)copy->head[0].mapping;
	bool is_in_swap_cache = (pm_page_bits(copy->head) & swap_bits) == swap_bits;

	if (mapping & PM_MAPPING_ANON || (!mapping && is_in_swap_cache)) {
		facts->class_ = PM_RAM_ANON;
	} else if (mapping & MAPPING_MOVABLE) {
		facts->class_ = PM_RAM_ZSMALLOC;
	} else if (mapping) {
		set_file(page, copy, facts);
	} else if (!page_ref_count(&copy->own) && !page_ref_count(copy->head)) {
		/* Free pages outside of the zones' lists are in those of processors. */
		facts->is_unused = true;
		if (is_in_list(page, copy))
			facts->class_ = PM_RAM_FREE_PERCPU;
	}
}

static void set_in_use(struct page *page, struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	struct page *head = copy->head;
	bool is_hugetlb = pm_is_large(pm_copied_folio(copy)) && PageHuge(head);
	bool is_zero = is_zero_pfn(page_to_pfn(page));
	int count = pm_copied_mapcount(copy, is_hugetlb);

	facts->flags = pm_folio_flags(&copy->own, pm_copied_folio(copy), count, is_hugetlb) &
		       ~PM_RAM_FLAGS_LEFT_OUT;
	if (is_zero)
		facts->flags |= PM_PAGE_ZERO_PAGE;
	facts->count = max(pm_count_references ? page_ref_count(head) : count, 0);
	if (pm_page_bits(&copy->own) & BIT(PG_reserved)) {
		facts->class_ = is_zero ? PM_RAM_ZERO : PM_RAM_RESERVED;
	} else if (facts->flags & PM_PAGE_HWPOISON) {
		facts->class_ = PM_RAM_POISON;
	} else if (is_hugetlb) {
		facts->class_ = PM_RAM_HUGETLB;
	} else if (!set_by_type(head, facts)) {
		facts->charge = pm_charge_of(head);
		set_by_mapping(page, copy, facts);
	}
}

void pm_frame_facts(struct page *page, struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	int left = COPIES;

	*facts = (struct pm_ram_facts){ .class_ = PM_RAM_UNMARKED, .pages = 1 };
	while (!take_copy(page, copy))
		if (!--left) {
			facts->class_ = PM_RAM_UNKNOWN;
			return;
		}
	if (PageBuddy(copy->head))
		set_free(page, copy, facts);
	else
		set_in_use(page, copy, facts);
}
