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

/* Copies the struct pages that describe the folio, unless that was just done for another tail. */
static bool copy_head(struct page *head, struct pm_page_copy *copy)
{
	if (copy->of == head)
		return true;
	copy->of = NULL;
	copy->head[0] = *head;
	if (PageTail(&copy->head[0]))
		return false;
	if (pm_is_large(pm_copied_folio(copy))) {
		copy->head[1] = head[1];
		copy->of = head;
	}
	return true;
}

/*
 * Copies the struct page of the frame and those of its folio. Returns false if they contradict each
 * other: the folio is being made or split.
 */
static bool take_copy(struct page *page, struct pm_page_copy *copy)
{
	struct page *head = (struct page *)compound_head(page);

	if (head == page) {
		copy->of = NULL;
		copy->own = &copy->head[0];
		return copy_head(head, copy);
	}
	if (head > page || page - head >= MAX_FOLIO_PAGES || !copy_head(head, copy))
		return false;
	copy->tail = *page;
	copy->own = &copy->tail;
	return compound_head(page) == head;
}

/* Free blocks are aligned to their size. */
static void set_free(struct page *page, const struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	unsigned long order = page_private(copy->own);

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
		facts->flags |= PM_PAGE_PGTABLE;
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
	struct list_head *next = copy->own->lru.next, *prev = copy->own->lru.prev, *found;

	return next && prev && next != &page->lru &&
	       pm_read_safely(&found, &next->prev, sizeof(found)) && found == &page->lru &&
	       pm_read_safely(&found, &prev->next, sizeof(found)) && found == &page->lru;
}

static void set_file(struct page *page, struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	struct page *head = (struct page *)compound_head(page);

	facts->class_ = PM_RAM_FILE;	/* or block, shmem: its owner decides */
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
	} else if (!page_ref_count(copy->own) && !page_ref_count(copy->head)) {
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

	facts->flags = pm_folio_flags(copy->own, pm_copied_folio(copy), count, is_hugetlb) &
		       ~PM_RAM_FLAGS_LEFT_OUT;
	if (is_zero)
		facts->flags |= PM_PAGE_ZERO_PAGE;
	facts->count = max(pm_count_references ? page_ref_count(head) : count, 0);
	if (pm_page_bits(copy->own) & BIT(PG_reserved)) {
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

/*
 * Most frames differ from the one before only in their place. The facts of reserved pages and of
 * pages of processes and files follow from flags, mapping, counts and charge alone, but for the
 * page of zeros.
 */
static bool has_simple_facts(const struct page *page, const struct pm_ram_facts *facts)
{
	return facts->class_ == PM_RAM_ANON || facts->mapping ||
	       (facts->class_ == PM_RAM_RESERVED && !is_zero_pfn(page_to_pfn(page)));
}

static bool is_alike_page(struct page *page, const struct pm_page_copy *copy)
{
	const struct page *last = copy->head;

	return pm_page_bits(page) == pm_page_bits(last) && !PageTail(page) &&
	       READ_ONCE(page->mapping) == last->mapping &&
	       atomic_read(&page->_mapcount) == atomic_read(&last->_mapcount) &&
	       pm_charge_of(page) == pm_charge_of(last) &&
	       (!pm_count_references ||
		atomic_read(&page->_refcount) == atomic_read(&last->_refcount));
}

/* The same for another tail of the folio. What its head says was copied. */
static bool is_alike_tail(struct page *page, const struct pm_page_copy *copy)
{
	const struct page *last = &copy->tail;

	return pm_page_bits(page) == pm_page_bits(last) && compound_head(page) == copy->of &&
	       atomic_read(&page->_mapcount) == atomic_read(&last->_mapcount);
}

/* Changes the facts of the frame before to those of this one, if they are alike. */
static bool follows(struct page *page, struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	if (copy->of && copy->own == &copy->tail && !facts->is_unused) {
		if (!is_alike_tail(page, copy))
			return false;
		facts->place += !!facts->mapping;
		return true;
	}
	if (copy->own != copy->head || pm_is_large(pm_copied_folio(copy)) ||
	    !has_simple_facts(page, facts) || !is_alike_page(page, copy))
		return false;
	facts->place = facts->mapping ? ((pm_folio *)page)->index : 0;
	return true;
}

void pm_frame_facts(struct page *page, struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	int left = COPIES;

	if (follows(page, copy, facts))
		return;

	facts->class_ = PM_RAM_UNMARKED;
	facts->pages = 1;
	facts->flags = facts->count = facts->place = 0;
	facts->mapping = NULL;
	facts->charge = 0;
	facts->is_unused = false;
	while (!take_copy(page, copy))
		if (!--left) {
			facts->class_ = PM_RAM_UNKNOWN;
			pm_copy_renew(copy);
			return;
		}
	if (PageBuddy(copy->head))
		set_free(page, copy, facts);
	else
		set_in_use(page, copy, facts);
}
