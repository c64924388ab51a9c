/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table from 64-bit keys to 64-bit values. It grows up to a limit and is never searched for a
 * value. Used by one reader at a time.
 */
#ifndef PM_KNOWN_H
#define PM_KNOWN_H

#include <linux/types.h>

struct pm_known {
	struct pm_known_entry *entries;	/* NULL: none yet */
	size_t size;			/* entries, a power of two */
	size_t used;
};

/* Maximum number of keys of a table: 4 Mi, in 128 MiB of memory. */
#define PM_MAX_KNOWN (4ul << 20)

/* Makes room for n more keys. May sleep. Returns 0, -ENOSPC at the limit, or -ENOMEM. */
int pm_known_reserve(struct pm_known *known, size_t n);
void pm_known_free(struct pm_known *known);

/* Returns the place of the key's value, or NULL. */
u64 *pm_known_find(const struct pm_known *known, u64 key);

/* Adds a key. Returns false if it is in the table already, or if there is no room. */
bool pm_known_add(struct pm_known *known, u64 key, u64 value);

#endif
