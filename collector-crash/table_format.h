/* SPDX-License-Identifier: MIT */
/* Page tables of each machine: how many levels, and what an entry says. */
#ifndef PM_TABLE_FORMAT_H
#define PM_TABLE_FORMAT_H

#include "layout.h"
#include "memory.h"

#define PM_LEVELS 5
#define PM_MACHINES "x86_64, aarch64, ppc64le"

enum pm_entry_kind {
	PM_ENTRY_NONE,		/* empty */
	PM_ENTRY_TABLE,		/* a table of the next lower level */
	PM_ENTRY_LEAF,		/* a page, or one huge page */
	PM_ENTRY_SWAP,
	PM_ENTRY_OTHER,		/* neither present nor swapped: migration, poison, markers */
	PM_ENTRY_CORRUPT	/* what no machine would take */
};

struct pm_entry {
	enum pm_entry_kind kind;
	__u64 table;		/* TABLE: physical address */
	__u64 pfn;		/* LEAF: of its first page */
	__u64 bits;		/* LEAF: all but the frame's number */
	__u64 type, offset;	/* SWAP; types above those of swap devices are of other kinds */
};

/* Changes in time of that machine's entries. */
enum pm_aarch64 {
	PM_AARCH64_OLD,
	PM_AARCH64_EXCLUSIVE,
	PM_AARCH64_NEW
};

struct pm_table_format {
	unsigned int levels;			/* level 0 is that of single pages */
	unsigned char shift[PM_LEVELS];		/* an entry of that level maps 1 << shift bytes */
	unsigned char index_bits[PM_LEVELS];	/* a table of that level has 1 << index_bits entries */
	__u64 user_end;				/* addresses of processes are below */
	__u64 phys_mask;			/* what a snapshot's header calls so */
	__u64 frame_bits;			/* of an entry: those that number the frame, and those of phys_mask */
	enum pm_aarch64 variant;
	bool is_big_endian;			/* entries are, whatever the machine is */
	void (*decode)(const struct pm_table_format *format, __u64 raw, unsigned int level, struct pm_entry *entry);
};

/* False: no such machine, or its tables have a shape that is not known. */
bool pm_table_format_find(struct pm_table_format *format, const char *machine, struct pm_memory *memory,
			  const struct pm_layout *layout);

/* One for each machine. */
bool pm_table_format_x86_64(struct pm_table_format *format, struct pm_memory *memory, const struct pm_layout *layout);
bool pm_table_format_aarch64(struct pm_table_format *format, struct pm_memory *memory, const struct pm_layout *layout);
bool pm_table_format_ppc64le(struct pm_table_format *format, struct pm_memory *memory, const struct pm_layout *layout);

/*
 * A number in a kernel variable of len bytes; otherwise when there is no such variable, or the dump
 * lacks it.
 */
__u64 pm_variable(struct pm_memory *memory, const char *symbol, size_t len, __u64 otherwise);

/*
 * A leaf, whose frame stands in frame, in its place. Corrupt when it would be larger than 1 GiB or
 * so (level 2), or has a bit of the address set below its own size, but for those that are allowed
 * there: the address of a table has such bits, so a flag that a fault has set is found out.
 */
void pm_leaf(const struct pm_table_format *format, __u64 raw, __u64 frame, __u64 allowed, unsigned int level,
	     struct pm_entry *entry);

/*
 * Sets levels, shift and index_bits from those of each level, lowest first, and the size of a page.
 */
void pm_table_levels(struct pm_table_format *format, const unsigned char *index_bits, unsigned int levels,
		     __u64 page_size);

#endif
