/* SPDX-License-Identifier: MIT */
/*
 * Reads a dump, which may be filtered or damaged. Missing memory is counted and reads as zeros,
 * which ends every walk.
 */
#ifndef PM_MEMORY_H
#define PM_MEMORY_H

#include "dump.h"

/* Unit in which the dump is read and cached: the smallest page size of all kernels. */
#define PM_BLOCK 4096u

struct pm_block;
struct pm_line;

enum pm_place {
	PM_FOUND,
	PM_NOT_MAPPED,
	PM_LOST		/* a page table is missing or damaged */
};

struct pm_memory {
	const struct pm_dump *dump;
	struct pm_block *blocks;
	struct pm_line *lines;	/* NULL if the dump reads no lists */
	__u64 renewals;	/* older blocks do not count */
	__u64 missing;	/* number of reads of missing memory */
	/*
	 * Translates a kernel address that needs tables. NULL: not available yet; such addresses
	 * are missing.
	 */
	enum pm_place (*translate)(void *image, __u64 at, __u64 *physical);
	void *image;
};

/*
 * Allocates 16 MiB, enough for the page tables and struct pages of one process, and 3 MiB for
 * lines. Returns false if out of memory.
 */
bool pm_memory_open(struct pm_memory *memory, const struct pm_dump *dump);
void pm_memory_close(struct pm_memory *memory);
/* Drops all cached blocks: a running kernel changes. */
void pm_memory_renew(struct pm_memory *memory);
/* Drops the cached block with this address of the kernel; not a line (pm_prefetch()). */
void pm_forget(struct pm_memory *memory, __u64 at);

/* The size of a struct page on nearly all kernels. */
#define PM_LINE 64u

/*
 * Reads the lines of PM_LINE bytes at these kernel addresses at once, which are multiples of it, so
 * that pm_read() finds them. Does nothing if the dump reads no lists.
 */
void pm_prefetch(struct pm_memory *memory, const __u64 *at, size_t n);

/* If the dump lacks any of the bytes, returns false, clears the result, and increments missing. */
bool pm_read(struct pm_memory *memory, enum pm_space space, __u64 at, void *to, size_t len);

/*
 * Reads an unsigned number or pointer of 1 to 8 bytes in the struct at kernel address object.
 * Returns 0 if the member does not exist.
 */
__u64 pm_get(struct pm_memory *memory, __u64 object, struct pm_field field);

/* Reads text of at most room - 1 bytes and terminates it with a zero byte. Returns its length. */
size_t pm_get_text(struct pm_memory *memory, __u64 at, char *to, size_t room);

/* Returns a number of 1, 2, 4 or 8 bytes in native byte order, which is also the dump's. */
__u64 pm_number(const void *bytes, size_t len);

#endif
