// SPDX-License-Identifier: MIT
#include "pte_walk.h"

#include "file_swap.h"
#include "page.h"
#include "page_facts.h"

/*
 * Tables may be added or removed at the moment of the dump, so there may be this many more than the
 * kernel has counted.
 */
#define TABLES_IN_TRANSIT 16u

/* Entries of a table that are read together. */
#define ENTRIES 128u

struct walk {
	struct pm_image *image;
	struct pm_tables *tables;
	const struct pm_range *range;
	struct pm_stretch *found;
	__u64 va;
};

void pm_tables_open(struct pm_image *image, struct pm_tables *tables, __u64 mm)
{
	__u64 page_size = image->memory.dump->page_size;
	__u64 ram = image->ram_pages * page_size;

	tables->top = PM_GET(image, mm, mm_pgd);
	tables->bytes_left = PM_GET(image, mm, mm_table_bytes);
	if (tables->bytes_left > ram)
		tables->bytes_left = ram;
	tables->bytes_left += TABLES_IN_TRANSIT * page_size;
	pm_seen_clear(&tables->seen);
	tables->step = PM_STEP;
	tables->without_facts = false;
	tables->is_fetched = false;
}

void pm_tables_close(struct pm_tables *tables)
{
	pm_seen_free(&tables->seen);
}

static __u64 level_bytes(const struct walk *walk, unsigned int level)
{
	return 1ull << walk->image->tables.shift[level];
}

/* The end of the address range of va's entry at that level. */
static __u64 entry_end(const struct walk *walk, unsigned int level)
{
	__u64 end = (walk->va | (level_bytes(walk, level) - 1)) + 1;

	return end < walk->range->end ? end : walk->range->end;
}

/* True if there is no room for one more page, or for one more slot. */
static bool is_full(const struct walk *walk)
{
	return walk->found->n_pages == walk->tables->step ||
	       walk->found->n_swapped == walk->tables->step;
}

static __u64 pfn_of(const struct pm_image *image, const struct pm_page *page)
{
	return (page->pte & image->tables.phys_mask) >> image->tables.shift[0];
}

static void note_leaf(struct walk *walk, const struct pm_entry *entry, unsigned int level)
{
	__u64 page_size = level_bytes(walk, 0);
	__u64 end = entry_end(walk, level);
	__u64 skipped = (walk->va & (level_bytes(walk, level) - 1)) / page_size;
	__u64 pfn = entry->pfn + skipped;

	for (; walk->va < end && !is_full(walk); walk->va += page_size, pfn++) {
		struct pm_page *page = &walk->found->pages[walk->found->n_pages++];

		page->va = walk->va;
		page->pte = pfn << walk->image->tables.shift[0] | entry->bits;
		page->count = level;	/* until describe() */
	}
}

/* Reads the struct pages of the first pages together. Returns the number of these. */
static size_t fetch_pages(struct pm_image *image, const struct pm_page *pages, size_t n)
{
	size_t i;

	if (!image->memory.dump->read_list)
		return n;
	pm_window_clear(&image->memory.window);
	for (i = 0; i < n; i++)
		if (!pm_want_page(image, pfn_of(image, &pages[i])))
			break;
	pm_window_read(&image->memory.window, image->memory.dump);
	return i;
}

static void describe(const struct walk *walk, struct pm_page *pages, size_t n)
{
	struct pm_image *image = walk->image;
	struct pm_frame frame = { .is_hugetlb = walk->range->is_hugetlb };
	size_t i;

	for (i = 0; i < n; i++) {
		frame.pfn = pfn_of(image, &pages[i]);
		frame.page = pm_page_of(image, frame.pfn);
		frame.by_pmd = pages[i].count == 1;
		pm_describe_page(image, &frame, &pages[i]);
	}
}

/* Counts entries that are neither pages nor swapped out. They may have the number of a frame. */
static void note_in_transit(struct pm_image *image, __u64 pfn, __u64 entries)
{
	__u64 page = pfn > PM_MAX_MARKER ? pm_page_of(image, pfn) : 0;

	image->notes.in_transit += entries;
	if (page && pm_has_bit(PM_GET(image, page, page_flags), image->layout->pg_hwpoison))
		image->notes.poisoned += entries;
	else if (page)
		image->notes.migrating += entries;
}

/* Records an entry that is not present: swapped out, under migration, poisoned, or a marker. */
static void note_absent(struct walk *walk, const struct pm_entry *entry, unsigned int level)
{
	struct pm_notes *notes = &walk->image->notes;
	__u64 guards = notes->markers.guard;
	bool is_entry = entry->kind == PM_ENTRY_SWAP;
	bool is_swapped = is_entry && entry->type < walk->image->layout->max_swap_types;

	if (is_swapped && !walk->range->is_hugetlb)
		walk->found->swapped[walk->found->n_swapped++] =
			(struct pm_swap){ walk->va, entry->type, entry->offset };
	else if (!is_entry || is_swapped || !pm_take_marker(&notes->markers, entry->offset))
		note_in_transit(walk->image, is_entry ? entry->offset : 0,
				(entry_end(walk, level) - walk->va) >>
					walk->image->tables.shift[0]);
	else if (walk->va == walk->range->start)
		walk->found->is_guarded = notes->markers.guard != guards;
}

/* Handles an empty entry, up to end. Pages of shared memory may still be in swap. */
static void note_empty(struct walk *walk, __u64 end)
{
	unsigned int page_shift = walk->image->tables.shift[0];
	__u64 start = walk->range->start;
	__u64 first = walk->range->first_index;
	__u64 index = first + ((walk->va - start) >> page_shift);
	__u64 last = first + ((end - 1 - start) >> page_shift);
	struct pm_swap slot;

	for (; walk->range->shared_memory && !is_full(walk); index++) {
		if (!pm_next_slot(walk->image, walk->range->shared_memory, &index, last, &slot))
			break;
		slot.va = start + ((index - first) << page_shift);
		walk->found->swapped[walk->found->n_swapped++] = slot;
	}
	walk->va = is_full(walk) ? start + ((index - first) << page_shift) : end;
}

/*
 * Checks that a table is valid. Each table is used once in an address space, for one address, and
 * there are only as many as the kernel has counted. A corrupted entry may lead to an unlimited
 * number of false tables.
 */
static bool is_table(struct walk *walk, __u64 table, unsigned int level)
{
	struct pm_tables *tables = walk->tables;
	__u64 bytes = 8ull << walk->image->tables.index_bits[level];
	__u64 name = (walk->va & ~(level_bytes(walk, level + 1) - 1)) | level;
	size_t met = tables->seen.used;

	/*
	 * If there is not enough left for one table, set it to 0, so that a repeated walk gets the
	 * same answer.
	 */
	if (tables->bytes_left < bytes && !pm_seen_has(&tables->seen, table)) {
		tables->bytes_left = 0;
		return false;
	}
	if (!pm_seen_add(&tables->seen, table, name))
		return false;
	if (tables->seen.used > met)
		tables->bytes_left -= bytes;
	return true;
}

static void walk_table(struct walk *walk, enum pm_space space, __u64 table, unsigned int level);

static void walk_entry(struct walk *walk, const struct pm_entry *entry, unsigned int level)
{
	__u64 end = entry_end(walk, level);

	switch (entry->kind) {
	case PM_ENTRY_LEAF:
		/*
		 * Only hugetlb has pages of this size: 262144 entries each. (DAX may have them too,
		 * but was never seen.)
		 */
		if (level < 2 || walk->range->is_hugetlb) {
			note_leaf(walk, entry, level);
			return;
		}
		walk->image->notes.corrupt++;
		break;
	case PM_ENTRY_TABLE:
		if (is_table(walk, entry->table, level - 1)) {
			walk_table(walk, PM_PHYSICAL, entry->table, level - 1);
			return;
		}
		walk->image->notes.corrupt++;
		break;
	case PM_ENTRY_CORRUPT:
		walk->image->notes.corrupt++;
		break;
	case PM_ENTRY_SWAP:
	case PM_ENTRY_OTHER:
		note_absent(walk, entry, level);
		break;
	case PM_ENTRY_NONE:
		note_empty(walk, end);
		return;
	}
	walk->va = end;
}

/* Walks n entries, the first of which is va's. */
static void walk_entries(struct walk *walk, const __u64 *raw, size_t n, unsigned int level)
{
	const struct pm_table_format *format = &walk->image->tables;
	struct pm_entry entry;
	size_t i, empty;

	for (i = 0; i < n && !is_full(walk); i++) {
		__u64 end;

		for (empty = i; !walk->range->shared_memory && i + 1 < n && !raw[i];)
			i++;
		if (i > empty)
			walk->va = (walk->va & ~(level_bytes(walk, level) - 1)) +
				   ((i - empty) << format->shift[level]);
		end = entry_end(walk, level);
		format->decode(format, format->is_big_endian ? __builtin_bswap64(raw[i]) : raw[i],
			       level, &entry);
		walk_entry(walk, &entry, level);
		if (walk->va < end)
			return;		/* full in the middle of an entry */
	}
}

/* Walks the entries of one table, from va's entry to the end of the range or of the table. */
static void walk_table(struct walk *walk, enum pm_space space, __u64 table, unsigned int level)
{
	const struct pm_table_format *format = &walk->image->tables;
	__u64 span = level_bytes(walk, level) << format->index_bits[level];
	__u64 end = (walk->va | (span - 1)) + 1;
	__u64 raw[ENTRIES];

	if (end > walk->range->end || end == 0)
		end = walk->range->end;
	while (walk->va < end && !is_full(walk)) {
		__u64 index = walk->va >> format->shift[level] &
			      ((1u << format->index_bits[level]) - 1);
		__u64 left = ((end - 1) >> format->shift[level]) -
			     (walk->va >> format->shift[level]) + 1;
		size_t n = left < ENTRIES ? (size_t)left : ENTRIES;

		if (!pm_read(&walk->image->memory, space, table + 8 * index, raw, 8 * n)) {
			walk->image->notes.table_excluded++;
			walk->va = end;
			return;
		}
		walk_entries(walk, raw, n, level);
	}
}

__u64 pm_pte_walk(struct pm_image *image, struct pm_tables *tables, const struct pm_range *range,
		  __u64 va, struct pm_stretch *found)
{
	struct walk walk = {
		.image = image,
		.tables = tables,
		.range = range,
		.found = found,
		.va = va,
	};

	size_t done, n;

	found->n_pages = 0;
	found->n_swapped = 0;
	found->is_guarded = false;
	if (range->has_no_pages)
		return range->end;
	walk_table(&walk, PM_KERNEL, tables->top, image->tables.levels - 1);
	for (done = 0; !tables->without_facts && done < found->n_pages; done += n) {
		n = found->n_pages - done;
		if (!tables->is_fetched)
			n = fetch_pages(image, found->pages + done, n);
		describe(&walk, found->pages + done, n);
	}
	return walk.va;
}
