// SPDX-License-Identifier: MIT
#include "area_prefetch.h"

#include "page.h"

#define TABLES 64u		/* of one call: 256 KiB with pages of 4 KiB */
#define ENTRIES (PM_SMALL_BLOCK / 8)

/* The last level of page tables, by the addresses of the process that they map. */
struct leaf_tables {
	__u64 va[TABLES];	/* of the first entry */
	__u64 at[TABLES];	/* physical address */
	size_t n;
};

/* Returns false if they are too many, or if a huge page is mapped without one. */
static bool add_tables(struct pm_image *image, __u64 top, __u64 start, __u64 end,
		       struct leaf_tables *tables)
{
	unsigned int shift = image->tables.shift[1];
	__u64 va = start >> shift << shift;
	struct pm_entry entry;
	unsigned int level;

	if ((end - va) >> shift > TABLES)
		return false;
	for (; va < end; va += 1ull << shift) {
		if (tables->n && tables->va[tables->n - 1] == va)
			continue;
		if (tables->n == TABLES)
			return false;
		if (pm_find_entry(image, top, va, 1, &entry, &level) != PM_FOUND)
			continue;
		if (entry.kind != PM_ENTRY_TABLE)
			return false;
		tables->va[tables->n] = va;
		tables->at[tables->n++] = entry.table;
	}
	return true;
}

static void read_tables(struct pm_image *image, const struct leaf_tables *tables)
{
	__u64 at[TABLES] = { 0 };
	size_t i;

	for (i = 0; i < tables->n; i++)
		at[i] = image->memory.dump->direct_map + tables->at[i];
	pm_prefetch(&image->memory, at, tables->n, 8ull << image->tables.index_bits[0]);
}

/* Adds the struct pages of these entries. Returns false if there is no room for all of them. */
static bool want_pages(struct pm_image *image, __u64 entries, size_t n)
{
	const struct pm_table_format *format = &image->tables;
	struct pm_entry entry;
	__u64 raw[ENTRIES];
	size_t some, i;

	for (; n; n -= some, entries += 8 * some) {
		some = n < ENTRIES ? n : ENTRIES;
		if (!pm_read(&image->memory, PM_PHYSICAL, entries, raw, 8 * some))
			continue;
		for (i = 0; i < some; i++) {
			if (!raw[i])
				continue;
			format->decode(format,
				       format->is_big_endian ? __builtin_bswap64(raw[i]) : raw[i],
				       0, &entry);
			if (entry.kind == PM_ENTRY_LEAF && !pm_want_page(image, entry.pfn))
				return false;
		}
	}
	return true;
}

/* As want_pages(), for a VMA. The tables before *first map lower addresses. */
static bool want_area(struct pm_image *image, const struct leaf_tables *tables, size_t *first,
		      __u64 start, __u64 end)
{
	unsigned int page_shift = image->tables.shift[0];
	__u64 span = 1ull << image->tables.shift[1];
	size_t i;

	while (*first < tables->n && tables->va[*first] + span <= start)
		++*first;
	for (i = *first; i < tables->n && tables->va[i] < end; i++) {
		__u64 from = start > tables->va[i] ? start : tables->va[i];
		__u64 to = end < tables->va[i] + span ? end : tables->va[i] + span;

		if (!want_pages(image,
				tables->at[i] + ((from - tables->va[i]) >> page_shift) * 8,
				(size_t)((to - from) >> page_shift)))
			return false;
	}
	return true;
}

size_t pm_prefetch_areas(struct pm_image *image, struct pm_tables *tables, const __u64 *areas,
			 size_t n)
{
	struct pm_page_window *window = &image->memory.window;
	__u64 missing = image->memory.missing;
	struct leaf_tables leaves = { .n = 0 };
	size_t done, first = 0, i;

	if (!image->memory.dump->direct_map)
		return n;
	for (done = 0; done < n; done++)
		if (!add_tables(image, tables->top, PM_GET(image, areas[done], vma_start),
				PM_GET(image, areas[done], vma_end), &leaves))
			break;
	read_tables(image, &leaves);
	pm_window_clear(window);
	for (i = 0; i < done; i++)
		if (!want_area(image, &leaves, &first, PM_GET(image, areas[i], vma_start),
			       PM_GET(image, areas[i], vma_end)))
			break;
	pm_window_read(window, image->memory.dump);
	image->memory.missing = missing;
	tables->is_fetched = i;
	return i ? i : 1;
}
