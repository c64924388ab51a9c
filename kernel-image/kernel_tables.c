// SPDX-License-Identifier: MIT
#include "kernel_tables.h"

#include <errno.h>

#include "seen.h"

struct walk {
	struct pm_image *image;
	const struct pm_table_visitor *visitor;
	struct pm_seen seen;
	__u64 first, last;	/* addresses, without the bits above those that tables translate */
};

/* A table whose first entry maps address base. */
struct table {
	enum pm_space space;
	__u64 at;
	unsigned int level;
	__u64 base;
};

static int read_table(struct walk *walk, struct table table);

static int visit_table(struct walk *walk, const struct pm_entry *entry, unsigned int level,
		       __u64 base)
{
	const struct pm_table_visitor *visitor = walk->visitor;
	__u64 pfn = entry->table >> walk->image->tables.shift[0];

	if (pm_seen_has(&walk->seen, entry->table))
		return 0;
	if (!pm_seen_add(&walk->seen, entry->table, 0))
		return -ENOMEM;
	if (visitor->table && !visitor->table(visitor->self, pfn))
		return -ECANCELED;
	return level < visitor->lowest ?
		       0 : read_table(walk, (struct table){ PM_PHYSICAL, entry->table, level, base });
}

/* The part of the leaf that lies in the range. */
static int visit_leaf(struct walk *walk, const struct pm_entry *entry, unsigned int level,
		      __u64 base)
{
	const struct pm_table_visitor *visitor = walk->visitor;
	unsigned int page_shift = walk->image->tables.shift[0];
	__u64 last = base + ((1ull << walk->image->tables.shift[level]) - 1);
	__u64 from = walk->first > base ? walk->first : base;
	__u64 to = walk->last < last ? walk->last : last;
	__u64 skipped = (from - base) >> page_shift;

	return !visitor->leaf || visitor->leaf(visitor->self, entry->pfn + skipped,
					       ((to - base) >> page_shift) - skipped + 1) ?
		       0 : -ECANCELED;
}

static int visit_entry(struct walk *walk, const struct table *table, __u64 index)
{
	const struct pm_table_format *format = &walk->image->tables;
	__u64 base = table->base + (index << format->shift[table->level]);
	struct pm_entry entry;

	format->decode(format, pm_entry_at(walk->image, table->space, table->at + 8 * index),
		       table->level, &entry);
	if (entry.kind == PM_ENTRY_LEAF)
		return visit_leaf(walk, &entry, table->level, base);
	/* Entries of the lowest level are never tables, so the recursion ends. */
	if (entry.kind == PM_ENTRY_TABLE && table->level)
		return visit_table(walk, &entry, table->level - 1, base);
	return 0;
}

static int read_table(struct walk *walk, struct table table)
{
	const struct pm_table_format *format = &walk->image->tables;
	unsigned int shift = format->shift[table.level];
	__u64 n = 1ull << format->index_bits[table.level];
	__u64 index = walk->first > table.base ? (walk->first - table.base) >> shift : 0;
	__u64 last = (walk->last - table.base) >> shift;
	int error = pm_is_interrupted(walk->image) ? -EINTR : 0;

	for (; index <= last && index < n && !error; index++)
		error = visit_entry(walk, &table, index);
	return error;
}

int pm_visit_tables(struct pm_image *image, __u64 top, __u64 start, __u64 end,
		    const struct pm_table_visitor *visitor)
{
	const struct pm_table_format *format = &image->tables;
	unsigned int level = format->levels - 1;
	__u64 mask = (1ull << (format->shift[level] + format->index_bits[level])) - 1;
	struct walk walk = {
		.image = image,
		.visitor = visitor,
		.first = start & mask,
		.last = (end - 1) & mask,
	};
	int error = start < end ?
			    read_table(&walk, (struct table){ PM_KERNEL, top, level, 0 }) : 0;

	pm_seen_free(&walk.seen);
	return error;
}
