// SPDX-License-Identifier: MIT
#include "area_prefetch.h"

#define TABLES 64u		/* of one call: 256 KiB with pages of 4 KiB */
#define STRUCT_PAGES 4096u	/* blocks of them: a quarter of the cache */
#define ENTRIES (PM_SMALL_BLOCK / 8)

struct leaf_tables {
	__u64 va[TABLES];	/* address of the process that its first entry maps */
	__u64 at[TABLES];	/* address of the kernel */
	size_t n;
};

struct pages {
	struct pm_image *image;
	__u64 at[PM_ITEMS];
	size_t n, left;
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
		tables->at[tables->n++] = image->memory.dump->direct_map + entry.table;
	}
	return true;
}

static void read_pages(struct pages *pages)
{
	pm_prefetch(&pages->image->memory, pages->at, pages->n, 1);
	pages->left -= pages->n;
	pages->n = 0;
}

static void add_page(struct pages *pages, __u64 raw)
{
	const struct pm_table_format *format = &pages->image->tables;
	struct pm_entry entry;
	__u64 page;

	format->decode(format, raw, 0, &entry);
	page = entry.kind == PM_ENTRY_LEAF ? pm_page_of(pages->image, entry.pfn) : 0;
	page -= page % PM_SMALL_BLOCK;
	if (!page || (pages->n && pages->at[pages->n - 1] == page))
		return;
	pages->at[pages->n++] = page;
	if (pages->n == PM_ITEMS)
		read_pages(pages);
}

/* Adds the struct pages of a table's entries. */
static void add_pages(struct pages *pages, __u64 table, size_t bytes)
{
	struct pm_memory *memory = &pages->image->memory;
	__u64 raw[ENTRIES];
	size_t done, i;

	for (done = 0; done < bytes && pages->left >= PM_ITEMS; done += sizeof(raw)) {
		if (!pm_read(memory, PM_PHYSICAL, table - memory->dump->direct_map + done, raw,
			     sizeof(raw)))
			continue;
		for (i = 0; i < ENTRIES; i++)
			if (raw[i])
				add_page(pages, raw[i]);
	}
}

size_t pm_prefetch_areas(struct pm_image *image, struct pm_tables *tables, const __u64 *areas,
			 size_t n)
{
	size_t bytes = 8ull << image->tables.index_bits[0], done, i;
	struct pages pages = { .image = image, .left = STRUCT_PAGES };
	struct leaf_tables leaves = { .n = 0 };
	__u64 missing = image->memory.missing;

	if (!image->memory.dump->direct_map)
		return n;
	for (done = 0; done < n; done++)
		if (!add_tables(image, tables->top, PM_GET(image, areas[done], vma_start),
				PM_GET(image, areas[done], vma_end), &leaves))
			break;
	pm_prefetch(&image->memory, leaves.at, leaves.n, bytes);
	for (i = 0; i < leaves.n; i++)
		add_pages(&pages, leaves.at[i], bytes);
	tables->is_fetched = done && pages.left >= PM_ITEMS;
	read_pages(&pages);
	image->memory.missing = missing;
	return done ? done : 1;
}
