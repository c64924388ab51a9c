/* SPDX-License-Identifier: MIT */
/*
 * Reads a dump, which may be filtered or damaged. Missing memory is counted and reads as zeros,
 * which ends every walk.
 */
#ifndef PM_MEMORY_H
#define PM_MEMORY_H

#include "dump.h"
#include "page_window.h"

/*
 * Unit in which memory is read and cached: the smallest page size of all kernels. Where a list of
 * small pieces can be read at once, it is a small block.
 */
#define PM_BLOCK 4096u
#define PM_SMALL_BLOCK 256u

struct pm_block;

enum pm_place {
	PM_FOUND,
	PM_NOT_MAPPED,
	PM_LOST		/* a page table is missing or damaged */
};

struct pm_memory {
	const struct pm_dump *dump;
	struct pm_block *blocks;
	unsigned char *bytes;	/* of the blocks */
	const struct pm_block *last;	/* that was read */
	unsigned int places;	/* the cache has 1 << places blocks */
	unsigned int shift;	/* a block has 1 << shift bytes */
	__u32 renewals;		/* older blocks do not count */
	/* Blocks of struct pages, if it is known where all of them are. */
	__u64 first_page, page_bytes;
	__u32 page_renewals;	/* older ones do not count */
	__u64 pages_ns;		/* when this was incremented */
	struct pm_page_window window;
	__u64 missing;	/* number of reads of missing memory */
	/*
	 * Translates a kernel address that needs tables. NULL: not available yet; such addresses
	 * are missing.
	 */
	enum pm_place (*translate)(void *image, __u64 at, __u64 *physical);
	void *image;
};

/*
 * Allocates 16 MiB, enough for the page tables and struct pages of one process. If the dump reads
 * lists, PM_LIST_BYTES, because missing blocks cost little then; or nothing if the dump has them.
 * Returns false if out of memory.
 */
bool pm_memory_open(struct pm_memory *memory, const struct pm_dump *dump);
void pm_memory_close(struct pm_memory *memory);
/* Sets the place of all struct pages, and drops all cached blocks. */
void pm_memory_set_pages(struct pm_memory *memory, __u64 first, __u64 bytes);
/*
 * Drops all cached blocks but those of struct pages, and these, too, after PM_PAGES_NS: a running
 * kernel changes. Struct pages of libraries are used by one process after the other.
 */
void pm_memory_renew(struct pm_memory *memory);
#define PM_PAGES_NS 10000000u	/* 10 ms, about the time between the files of /proc for a process */
/* Drops the cached blocks of struct pages. */
void pm_memory_renew_pages(struct pm_memory *memory);
/* Drops the cached block with this address of the kernel. */
void pm_forget(struct pm_memory *memory, __u64 at);

/*
 * Reads the first bytes of n objects at these kernel addresses at once, so that later reads find
 * them. Addresses of 0 are skipped. Does nothing if the dump reads no lists.
 */
void pm_prefetch(struct pm_memory *memory, const __u64 *at, size_t n, size_t bytes);

/*
 * The bytes at this kernel address in the cache, valid until the next read. NULL: they are missing,
 * or in several blocks.
 */
const unsigned char *pm_peek(struct pm_memory *memory, __u64 at, size_t len);

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
