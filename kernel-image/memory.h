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
	unsigned char *bytes;	/* of the blocks */
	size_t n_blocks;	/* a power of two */
	struct pm_line *lines;	/* NULL if the dump reads no lists */
	__u64 first_line, last_line;	/* bounds of all their addresses */
	__u64 renewals;		/* older blocks do not count */
	__u64 line_renewals;	/* older lines do not count */
	__u64 lines_ns;		/* when this was incremented */
	__u64 missing;	/* number of reads of missing memory */
	/*
	 * Translates a kernel address that needs tables. NULL: not available yet; such addresses
	 * are missing.
	 */
	enum pm_place (*translate)(void *image, __u64 at, __u64 *physical);
	void *image;
};

/*
 * Allocates 16 MiB, enough for the page tables and struct pages of one process; if the dump reads
 * lists, 8 MiB and 1.3 MiB for lines. Returns false if out of memory.
 */
bool pm_memory_open(struct pm_memory *memory, const struct pm_dump *dump);
void pm_memory_close(struct pm_memory *memory);
/*
 * Drops all cached blocks, and lines older than PM_LINE_NS: a running kernel changes. Struct pages
 * of libraries are used by one process after the other.
 */
void pm_memory_renew(struct pm_memory *memory);
#define PM_LINE_NS 10000000u	/* 10 ms, about the time between the files of /proc for a process */
/* Drops the cached block with this address of the kernel; not a line (pm_prefetch()). */
void pm_forget(struct pm_memory *memory, __u64 at);


/* The size of a struct page on nearly all kernels. */
#define PM_LINE 64u

/*
 * Reads the lines of PM_LINE bytes at these kernel addresses at once, which are multiples of it, so
 * that pm_read() finds them. Addresses of 0 are skipped. Many lines of a block are read as a block.
 * Does nothing if the dump reads no lists.
 */
void pm_prefetch(struct pm_memory *memory, const __u64 *at, size_t n);

/* Reads the blocks of objects at these kernel addresses at once, in the same way. */
void pm_prefetch_blocks(struct pm_memory *memory, const __u64 *at, size_t n);

/* If the dump lacks any of the bytes, returns false, clears the result, and increments missing. */
bool pm_read(struct pm_memory *memory, enum pm_space space, __u64 at, void *to, size_t len);

/* The same for a line, at a multiple of PM_LINE. */
bool pm_read_line(struct pm_memory *memory, __u64 at, void *to);

/*
 * Reads an unsigned number or pointer of 1 to 8 bytes in the struct at kernel address object.
 * Returns 0 if the member does not exist.
 */
__u64 pm_get(struct pm_memory *memory, __u64 object, struct pm_field field);

/* Reads text of at most room - 1 bytes and terminates it with a zero byte. Returns its length. */
size_t pm_get_text(struct pm_memory *memory, __u64 at, char *to, size_t room);

/* Returns a number of 1, 2, 4 or 8 bytes in native byte order, which is also the dump's. */
static inline __u64 pm_number(const void *bytes, size_t len)
{
	__u8 byte;
	__u16 half;
	__u32 word;
	__u64 number = 0;

	switch (len) {
	case 1: memcpy(&byte, bytes, len); return byte;
	case 2: memcpy(&half, bytes, len); return half;
	case 4: memcpy(&word, bytes, len); return word;
	case 8: memcpy(&number, bytes, len); return number;
	default: return 0;
	}
}

#endif
