/* SPDX-License-Identifier: MIT */
/*
 * What a dump must be able to do: give bytes, and tell what its debug information says.
 * crash_dump.c asks crash; tests have an image of their own. Nothing else here knows where a dump
 * comes from.
 */
#ifndef PM_DUMP_H
#define PM_DUMP_H

#include "emit/port.h"

/* A member of a struct: where, and how many bytes; offset -1: this kernel has no such member. */
struct pm_field {
	int offset;
	int size;
};

enum pm_space {
	PM_KERNEL,	/* virtual addresses of the kernel */
	PM_PHYSICAL
};

struct pm_dump {
	void *self;	/* first argument of the functions */
	__u64 page_size;
	/* False: the dump does not hold all of these bytes, or no such address exists. */
	bool (*read)(void *self, enum pm_space space, __u64 at, void *to, size_t len);
	/* False: there is no such type or member. */
	bool (*member)(void *self, const char *type, const char *member, struct pm_field *field);
	/* Bytes; 0: there is no such type. */
	size_t (*size_of)(void *self, const char *type);
	/* Elements of an array variable; 0: there is none. */
	size_t (*length_of)(void *self, const char *symbol);
	bool (*enumerator)(void *self, const char *name, __u64 *value);
	bool (*symbol)(void *self, const char *name, __u64 *address);
	/*
	 * Whether only the kernel's own page tables say where that kernel address lies: read() is
	 * not asked for it then, but for the tables and what they lead to. NULL: read() knows every
	 * address.
	 */
	bool (*needs_tables)(void *self, __u64 at);
	/* Kernel address of the frame's struct page; 0: it has none. */
	__u64 (*page_of)(void *self, __u64 pfn);
	/*
	 * Whether the dump has the frame's contents, which no snapshot needs; NULL: nothing was
	 * left out of it.
	 */
	bool (*holds)(void *self, __u64 pfn);
	/* Whether the user wants to stop. */
	bool (*is_interrupted)(void *self);
};

#endif
