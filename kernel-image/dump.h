/* SPDX-License-Identifier: MIT */
/*
 * Interface of a dump: reads bytes and looks up debug information. crash_dump.c implements it with
 * crash, tests with an image of their own. No other file depends on the source of a dump.
 */
#ifndef PM_DUMP_H
#define PM_DUMP_H

#include "emit/port.h"

/* Offset and size of a struct member; offset -1 if this kernel has no such member. */
struct pm_field {
	int offset;
	int size;
};

enum pm_space {
	PM_KERNEL,	/* virtual addresses of the kernel */
	PM_PHYSICAL
};

/* One piece of memory of the kernel. */
struct pm_item {
	__u64 at;
	__u32 bytes;
	bool is_read;		/* set by the reader */
	void *to;
};

#define PM_ITEMS 256u		/* of one list, at most */
#define PM_ITEM_BYTES 4096u	/* of one item, at most */
/* What lists read: cached blocks (memory.h), and struct pages (page_window.h). */
#define PM_CACHE_BYTES (2u << 20)
#define PM_WINDOW_BYTES (256u << 10)
#define PM_LIST_BYTES (PM_CACHE_BYTES + PM_WINDOW_BYTES)

struct pm_dump {
	void *self;	/* first argument of the functions */
	__u64 page_size;
	/* Kernel address of physical address 0, where all of RAM is mapped. 0: not known. */
	__u64 direct_map;
	/*
	 * Whether the page with this address of the kernel may be read; asked before read(), and
	 * may itself read through the image. NULL: every address, as in a dump.
	 */
	bool (*may_read)(void *self, __u64 at);
	/* Returns the struct page that may_read() needs for an address of the kernel; 0: none. */
	__u64 (*page_at)(void *self, __u64 at);
	/* Returns false if the dump lacks any of the bytes or the address does not exist. */
	bool (*read)(void *self, enum pm_space space, __u64 at, void *to, size_t len);
	/*
	 * Reads many pieces at virtual addresses of the kernel at once, which need no tables. NULL:
	 * that is not faster than one by one. Otherwise page_at() exists, too.
	 */
	void (*read_list)(void *self, struct pm_item *items, size_t n);
	/*
	 * PM_LIST_BYTES into which read_list() reads without a copy in between. NULL: there is no
	 * such memory, so the reader of the dump allocates it.
	 */
	unsigned char *list_bytes;
	/* Returns false if the type or member does not exist. */
	bool (*member)(void *self, const char *type, const char *member, struct pm_field *field);
	/* Returns the size in bytes, or 0 if the type does not exist. */
	size_t (*size_of)(void *self, const char *type);
	/* Returns the length of an array variable, or 0 if it does not exist. */
	size_t (*length_of)(void *self, const char *symbol);
	bool (*enumerator)(void *self, const char *name, __u64 *value);
	bool (*symbol)(void *self, const char *name, __u64 *address);
	/*
	 * Writes "function+0x1f" for an address in a function. Returns false if it is in none.
	 * NULL: there are no names.
	 */
	bool (*name_of)(void *self, __u64 address, char *to, size_t room);
	/*
	 * Whether the kernel address must be translated by the kernel's page tables. Then read() is
	 * called for the tables and the physical address instead. NULL: read() handles every
	 * address.
	 */
	bool (*needs_tables)(void *self, __u64 at);
	/* Returns the kernel address of the frame's struct page; 0 if it has none. */
	__u64 (*page_of)(void *self, __u64 pfn);
	/*
	 * Whether the dump has the frame's contents (a snapshot does not need them). NULL: the dump
	 * is complete.
	 */
	bool (*holds)(void *self, __u64 pfn);
	/* Whether the user requested a stop. */
	bool (*is_interrupted)(void *self);
};

#endif
