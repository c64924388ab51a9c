// SPDX-License-Identifier: GPL-2.0-only
#include "known.h"

#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

/* Key 0 is an unused entry. */
struct pm_known_entry {
	u64 key, value;
};

/* 256 KiB of memory. */
#define MIN_ENTRIES 16384ul

/* Entries between two points where another task may run. */
#define AT_ONCE 4096ul

static u64 used_key(u64 key)
{
	return key ? key : 1;
}

static struct pm_known_entry *entry_of(const struct pm_known *known, u64 key)
{
	size_t at = hash_64(key, 32) & (known->size - 1);

	while (known->entries[at].key && known->entries[at].key != key)
		at = (at + 1) & (known->size - 1);
	return &known->entries[at];
}

u64 *pm_known_find(const struct pm_known *known, u64 key)
{
	struct pm_known_entry *entry;

	if (!known->entries)
		return NULL;
	entry = entry_of(known, used_key(key));
	return entry->key ? &entry->value : NULL;
}

/* At most three quarters are used, so a search ends soon. */
static bool has_room(const struct pm_known *known, size_t n)
{
	return known->entries && known->used + n <= known->size / 4 * 3;
}

bool pm_known_add(struct pm_known *known, u64 key, u64 value)
{
	struct pm_known_entry *entry;

	if (!has_room(known, 1))
		return false;
	entry = entry_of(known, used_key(key));
	if (entry->key)
		return false;
	known->used++;
	*entry = (struct pm_known_entry){ used_key(key), value };
	return true;
}

static void move_entries(struct pm_known *to, const struct pm_known *from)
{
	size_t i;

	for (i = 0; i < from->size; i++) {
		if (from->entries[i].key)
			pm_known_add(to, from->entries[i].key, from->entries[i].value);
		if (i % AT_ONCE == 0)
			cond_resched();
	}
}

/* By parts, unlike __GFP_ZERO. */
static void clear_entries(struct pm_known *known)
{
	size_t i, n;

	for (i = 0; i < known->size; i += n) {
		n = min(known->size - i, AT_ONCE);
		memset(known->entries + i, 0, n * sizeof(*known->entries));
		cond_resched();
	}
}

int pm_known_reserve(struct pm_known *known, size_t n)
{
	struct pm_known larger = { .size = max(known->size, MIN_ENTRIES) };

	if (has_room(known, n))
		return 0;
	if (known->used + n > PM_MAX_KNOWN)
		return -ENOSPC;
	while (larger.size / 4 * 3 < known->used + n)
		larger.size *= 2;
	larger.entries = __vmalloc(array_size(larger.size, sizeof(*larger.entries)),
				   GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!larger.entries)
		return -ENOMEM;
	clear_entries(&larger);
	move_entries(&larger, known);
	vfree(known->entries);
	*known = larger;
	return 0;
}

void pm_known_free(struct pm_known *known)
{
	vfree(known->entries);
	*known = (struct pm_known){ 0 };
}
