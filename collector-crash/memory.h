/* SPDX-License-Identifier: MIT */
/*
 * Reading a dump. What it does not hold reads as zeros, which ends every walk, and is counted: a
 * dump may be filtered or damaged.
 */
#ifndef PM_MEMORY_H
#define PM_MEMORY_H

#include "dump.h"

/* Bytes that the dump is read in, and that are kept: no kernel has smaller pages. */
#define PM_BLOCK 4096u

struct pm_block;

enum pm_place {
	PM_FOUND,
	PM_NOT_MAPPED,
	PM_LOST		/* the dump lacks a table on the way, or it is damaged */
};

struct pm_memory {
	const struct pm_dump *dump;
	struct pm_block *blocks;
	__u64 missing;	/* reads of what the dump does not hold */
	/*
	 * Where a kernel address that needs tables lies; NULL: not known yet, such addresses are
	 * missing.
	 */
	enum pm_place (*translate)(void *image, __u64 at, __u64 *physical);
	void *image;
};

/* False: no memory. Takes 16 MiB, so that the page tables and struct pages of one process stay. */
bool pm_memory_open(struct pm_memory *memory, const struct pm_dump *dump);
void pm_memory_close(struct pm_memory *memory);

/* False, zeros and one more missing when the dump lacks any of the bytes. */
bool pm_read(struct pm_memory *memory, enum pm_space space, __u64 at, void *to, size_t len);

/*
 * An unsigned number, or a pointer, of 1 to 8 bytes in a struct at the kernel's address object; 0
 * where there is no such member.
 */
__u64 pm_get(struct pm_memory *memory, __u64 object, struct pm_field field);

/* Text of at most room - 1 bytes, ended by a zero byte; returns its length. */
size_t pm_get_text(struct pm_memory *memory, __u64 at, char *to, size_t room);

/* A number of len bytes, 1, 2, 4 or 8, in the byte order of this machine, which is the dump's. */
__u64 pm_number(const void *bytes, size_t len);

#endif
