// SPDX-License-Identifier: GPL-2.0-only
#include "frame_class.h"

#include "emit/flags.h"
#include "kernel/page_facts.h"

/*
 * Low bit of the mapping field of pages that the kernel may move (zsmalloc), until v6.16. In later
 * kernels only anonymous pages have this bit, together with PM_MAPPING_ANON.
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
 * Copies the struct pages of the frame and of its folio. Returns false if they contradict each
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

/* The first of the struct pages that exist as this one does. */
static const struct page *first_near(const struct page *page)
{
	return page - page_to_pfn(page) % PM_FRAMES_ONLINE;
}

/*
 * Reads a pointer from anywhere. The neighbours in a list are often near the page; reading them
 * takes a tenth of the time. near: of first_near().
 */
static __always_inline bool read_pointer(const struct page *near, const void *from,
					 struct list_head **to)
{
	if ((unsigned long)from - (unsigned long)near >
	    PM_FRAMES_ONLINE * sizeof(*near) - sizeof(*to))
		return pm_read_safely(to, from, sizeof(*to));
	*to = READ_ONCE(*(struct list_head *const *)from);
	return true;
}

/*
 * Whether the page is in a list: its neighbours point back to it. A page that is in none has poison
 * there (list_del), or its own address, or an address from earlier. copy: of page, or page.
 */
static __always_inline bool is_in_list(const struct page *page, const struct page *copy,
				       const struct page *near)
{
	struct list_head *next = READ_ONCE(copy->lru.next), *prev = READ_ONCE(copy->lru.prev);
	struct list_head *found;

	return next && prev && next != &page->lru && read_pointer(near, &next->prev, &found) &&
	       found == &page->lru && read_pointer(near, &prev->next, &found) &&
	       found == &page->lru;
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
		/* Free pages outside of the zones' lists are in per-CPU lists. */
		facts->is_unused = true;
		if (is_in_list(page, copy->own, first_near(page)))
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
	} else {
		if (!set_by_type(head, facts))
			set_by_mapping(page, copy, facts);
		/* A slab has the charges of its objects there, a page in a balloon has none. */
		if (facts->class_ != PM_RAM_SLAB && facts->class_ != PM_RAM_BALLOON)
			facts->charge = pm_charge_of(head);
	}
}

/* How the next frame is compared with this one. */
enum likeness {
	UNLIKE,		/* not at all */
	PAGES,		/* pages of processes and files, reserved pages, pages without a mark */
	TAILS,		/* tails of one folio: what its head says was copied */
	UNUSED,		/* see is_unused */
	SLABS,		/* slabs of one page */
};

/*
 * Most frames differ from the one before only in their place. The facts of a page follow from
 * flags, mapping, counts and charge alone, unless it has a type.
 */
static enum likeness likeness_of(const struct pm_page_copy *copy, const struct pm_ram_facts *facts)
{
	if (copy->of && copy->own == &copy->tail)
		return facts->is_unused ? UNLIKE : TAILS;
	if (copy->own != copy->head || copy->of || facts->flags & PM_PAGE_ZERO_PAGE)
		return UNLIKE;
	if (facts->is_unused)
		return UNUSED;
	if (facts->class_ == PM_RAM_SLAB)
		return SLABS;
	return facts->class_ == PM_RAM_ANON || facts->class_ == PM_RAM_RESERVED ||
	       facts->class_ == PM_RAM_UNMARKED || facts->mapping ? PAGES : UNLIKE;
}

/* The flags themselves. The zone, and how recently a page was used, are above them. */
#define FLAG_BITS (BIT(NR_PAGEFLAGS) - 1)

/* 0: the flags of both are the same. */
static __always_inline unsigned long other_flags(const struct page *page, const struct page *last)
{
	return (pm_page_bits(page) ^ pm_page_bits(last)) & FLAG_BITS;
}

static __always_inline bool has_same_fields(struct page *page, const struct page *last)
{
	return !other_flags(page, last) && !PageTail(page) &&
	       READ_ONCE(page->mapping) == last->mapping &&
	       atomic_read(&page->_mapcount) == atomic_read(&last->_mapcount) &&
	       pm_charge_of(page) == pm_charge_of(last);
}

/* Whether a page without a mark is unused, and which one has zeros, does not follow from these. */
static __always_inline bool is_alike_page(struct page *page, const struct pm_page_copy *copy,
					  const struct pm_ram_facts *facts)
{
	const struct page *last = copy->head;

	if (!has_same_fields(page, last))
		return false;
	if (!last->mapping && is_zero_pfn(page_to_pfn(page)))
		return false;
	return (!pm_count_references && facts->class_ != PM_RAM_UNMARKED) ||
	       atomic_read(&page->_refcount) == atomic_read(&last->_refcount);
}

static __always_inline bool is_alike_tail(struct page *page, const struct pm_page_copy *copy)
{
	const struct page *last = &copy->tail;

	return !other_flags(page, last) && compound_head(page) == copy->of &&
	       atomic_read(&page->_mapcount) == atomic_read(&last->_mapcount);
}

/* What an unused page is compared with. */
struct unused {
	unsigned long bits, charge;
	int mapcount;
};

static struct unused unused_of(const struct page *page)
{
	return (struct unused){ pm_page_bits(page), pm_charge_of(page),
				atomic_read(&page->_mapcount) };
}

/* No branch for each field: there are many such frames. */
static __always_inline bool is_alike_unused(struct page *page, struct unused last)
{
	unsigned long other = ((pm_page_bits(page) ^ last.bits) & FLAG_BITS) |
			      (unsigned long)READ_ONCE(page->mapping) |
			      (pm_charge_of(page) ^ last.charge) |
			      (unsigned int)atomic_read(&page->_refcount) |
			      (unsigned int)(atomic_read(&page->_mapcount) ^ last.mapcount);

	return !other && !PageTail(page);
}

/* The cache of the slab is read from the copy, so a new one is made. */
static bool is_alike_slab(struct page *page, struct pm_page_copy *copy)
{
	struct page last = { .flags = copy->head->flags };
	int mapcount = atomic_read(&copy->head->_mapcount);
	int references = atomic_read(&copy->head->_refcount);

	copy->head[0] = *page;
	return !other_flags(copy->head, &last) && !PageTail(copy->head) &&
	       atomic_read(&copy->head->_mapcount) == mapcount &&
	       atomic_read(&copy->head->_refcount) == references;
}

/* Changes the previous frame's facts to this frame's, if the frames are alike. */
static bool follows(struct page *page, struct pm_page_copy *copy, struct pm_ram_facts *facts)
{
	switch (likeness_of(copy, facts)) {
	case PAGES:
		if (!is_alike_page(page, copy, facts))
			return false;
		facts->place = facts->mapping ? ((pm_folio *)page)->index : 0;
		return true;
	case TAILS:
		if (!is_alike_tail(page, copy))
			return false;
		facts->place += !!facts->mapping;
		return true;
	case UNUSED:
		if (!is_alike_unused(page, unused_of(copy->head)))
			return false;
		facts->class_ = is_in_list(page, page, first_near(page)) ? PM_RAM_FREE_PERCPU :
								    PM_RAM_UNMARKED;
		return true;
	case SLABS:
		return is_alike_slab(page, copy);
	case UNLIKE:
		break;
	}
	return false;
}

static unsigned long pages_alike(struct page *page, const struct pm_page_copy *copy,
				 const struct pm_ram_facts *facts, unsigned long most)
{
	unsigned long n = 0;

	while (n < most && is_alike_page(page + n + 1, copy, facts) &&
	       (!facts->mapping || ((pm_folio *)(page + n + 1))->index == facts->place + n + 1))
		n++;
	return n;
}

unsigned long pm_unused_alike(struct page *page, const struct pm_page_copy *copy,
			      unsigned long most, unsigned long in_block, bool *are_listed)
{
	const struct page *near = first_near(page);
	struct unused last = unused_of(copy->head);
	unsigned long n = 0;

	/* A part of a folio: its own fields are in copy->tail. */
	if (copy->own != copy->head || copy->of)
		return 0;
	*are_listed = is_in_list(page + 1, page + 1, near);
	if (!*are_listed)
		most = min(most, in_block);
	while (n < most && is_alike_unused(page + n + 1, last) &&
	       is_in_list(page + n + 1, page + n + 1, near) == *are_listed)
		n++;
	return n;
}

static unsigned long tails_alike(struct page *page, const struct pm_page_copy *copy,
				 unsigned long most)
{
	unsigned long n = 0;

	while (n < most && is_alike_tail(page + n + 1, copy))
		n++;
	return n;
}

unsigned long pm_frames_alike(struct page *page, const struct pm_page_copy *copy,
			      struct pm_ram_facts *facts, unsigned long most)
{
	unsigned long n;

	switch (likeness_of(copy, facts)) {
	case PAGES:
		return pages_alike(page, copy, facts, most);
	case TAILS:
		n = tails_alike(page, copy, most);
		facts->place += facts->mapping ? n : 0;
		return n;
	case UNUSED:
	case SLABS:
	case UNLIKE:
		break;
	}
	return 0;
}

#ifdef CONFIG_MEMORY_FAILURE
#define BITS(page, i) (*(const unsigned long *)&(page)[i].flags)
#define BITS_OF_4(page, i) \
	(BITS(page, i) | BITS(page, (i) + 1) | BITS(page, (i) + 2) | BITS(page, (i) + 3))

#define BITS_OF_16(page, i) \
	(BITS_OF_4(page, i) | BITS_OF_4(page, (i) + 4) | BITS_OF_4(page, (i) + 8) | \
	 BITS_OF_4(page, (i) + 12))

/* Reads the bits of 32 frames at once, which takes 1.2 instructions per frame. */
unsigned long pm_frames_not_broken(const struct page *page, unsigned long n)
{
	const struct page *first = page, *end = page + n;

	for (; end - page >= 32; page += 32)
		if ((BITS_OF_16(page, 0) | BITS_OF_16(page, 16)) & BIT(PG_hwpoison))
			break;
	while (page < end && !(BITS(page, 0) & BIT(PG_hwpoison)))
		page++;
	return page - first;
}
#else
unsigned long pm_frames_not_broken(const struct page *page, unsigned long n)
{
	return n;
}
#endif

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
