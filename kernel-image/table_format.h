/* SPDX-License-Identifier: MIT */
/* Formats of page tables: the number of levels, and the meaning of an entry, per architecture. */
#ifndef PM_TABLE_FORMAT_H
#define PM_TABLE_FORMAT_H

#include "layout.h"
#include "memory.h"

#define PM_LEVELS 5

enum pm_entry_kind {
	PM_ENTRY_NONE,		/* empty */
	PM_ENTRY_TABLE,		/* a table of the next lower level */
	PM_ENTRY_LEAF,		/* a page, or one huge page */
	PM_ENTRY_SWAP,
	PM_ENTRY_OTHER,		/* neither present nor swapped: migration, poison, markers */
	PM_ENTRY_CORRUPT	/* invalid on every machine */
};

struct pm_entry {
	enum pm_entry_kind kind;
	__u64 table;		/* TABLE: physical address */
	__u64 pfn;		/* LEAF: of its first page */
	__u64 bits;		/* LEAF: all bits except the frame number */
	__u64 type, offset;	/* SWAP; types above the swap devices' have other meanings */
};

/* Historical variants of entries on aarch64. */
enum pm_aarch64 {
	PM_AARCH64_OLD,
	PM_AARCH64_EXCLUSIVE,
	PM_AARCH64_NEW
};

struct pm_table_format {
	unsigned int levels;		/* level 0 has entries for single pages */
	unsigned char shift[PM_LEVELS];	/* an entry of the level maps 1 << shift bytes */
	/* A table of the level has 1 << index_bits entries. */
	unsigned char index_bits[PM_LEVELS];
	__u64 user_end;			/* end of the addresses of processes */
	__u64 phys_mask;		/* as in the snapshot header */
	__u64 frame_bits;		/* bits of an entry with the frame number, and phys_mask */
	enum pm_aarch64 variant;
	bool is_big_endian;		/* byte order of entries, independent of the machine's */
	void (*decode)(const struct pm_table_format *format, __u64 raw, unsigned int level,
		       struct pm_entry *entry);
};

/*
 * Returns false if the machine or the shape of its page tables is unsupported, and writes what was
 * found and what is supported.
 */
bool pm_table_format_find(struct pm_table_format *format, const char *machine,
			  struct pm_memory *memory, const struct pm_layout *layout, char *why,
			  size_t room);

/* One per architecture. */
bool pm_table_format_x86_64(struct pm_table_format *format, struct pm_memory *memory,
			    const struct pm_layout *layout, char *why, size_t room);
bool pm_table_format_aarch64(struct pm_table_format *format, struct pm_memory *memory,
			     const struct pm_layout *layout, char *why, size_t room);
bool pm_table_format_ppc64le(struct pm_table_format *format, struct pm_memory *memory,
			     const struct pm_layout *layout, char *why, size_t room);

/*
 * Returns the number in a kernel variable of len bytes, or `otherwise` if the variable does not
 * exist or the dump lacks it.
 */
__u64 pm_variable(struct pm_memory *memory, const char *symbol, size_t len, __u64 otherwise);

/*
 * Decodes a leaf. frame: the entry with the frame number at its normal position. The entry is
 * corrupt if it is above level 2 (about 1 GiB), or if an address bit below its size is set that is
 * not in allowed. Addresses of tables have such bits, so a table entry with a corrupted leaf flag
 * is detected.
 */
void pm_leaf(const struct pm_table_format *format, __u64 raw, __u64 frame, __u64 allowed,
	     unsigned int level, struct pm_entry *entry);

/*
 * Sets levels, shift and index_bits from the page size and the index bits of each level, lowest
 * first.
 */
void pm_table_levels(struct pm_table_format *format, const unsigned char *index_bits,
		     unsigned int levels, __u64 page_size);

#endif
