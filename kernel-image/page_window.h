/* SPDX-License-Identifier: MIT */
/*
 * Struct pages that are read together by one list, in the order in which they will be needed: those
 * of a few VMAs, or of a piece of RAM. The next one is found with a comparison, where the cache of
 * memory.h has to search.
 */
#ifndef PM_PAGE_WINDOW_H
#define PM_PAGE_WINDOW_H

#include "dump.h"

#define PM_WINDOW_ITEMS 1024u

struct pm_page_window {
	unsigned char *bytes;	/* PM_WINDOW_BYTES; NULL: the dump reads no lists */
	struct pm_item items[PM_WINDOW_ITEMS];
	size_t n, used;		/* items; bytes */
	size_t current;		/* the item in which the last one was found */
};

void pm_window_clear(struct pm_page_window *window);
/*
 * Adds some struct pages, the first of which is at this kernel address. Does nothing if they are
 * part of the last ones. Returns false if there is no room for them.
 */
bool pm_window_add(struct pm_page_window *window, __u64 at, size_t bytes);
/* Reads what has been added. */
void pm_window_read(struct pm_page_window *window, const struct pm_dump *dump);
/* NULL: the struct page has not been added, does not follow the last one, or cannot be read. */
const unsigned char *pm_window_find(struct pm_page_window *window, __u64 at, size_t bytes);

#endif
