// SPDX-License-Identifier: MIT
#include "seen.h"

#include <stdlib.h>

/*
 * Slots of 16 bytes. Up to FEW_SLOTS slots are cleared instead of freed. MAX_SLOTS is enough for
 * four million addresses: PID_MAX_LIMIT tasks, or the tables of a process of 8 TiB.
 */
#define MIN_SLOTS 1024u
#define FEW_SLOTS (1u << 16)
#define MAX_SLOTS (1u << 23)

struct pm_seen_slot {
	__u64 address;	/* plus one; 0: free */
	__u64 name;
};

void pm_seen_free(struct pm_seen *seen)
{
	free(seen->slots);
	memset(seen, 0, sizeof(*seen));
}

void pm_seen_clear(struct pm_seen *seen)
{
	if (seen->room > FEW_SLOTS)
		pm_seen_free(seen);
	else if (seen->used)
		memset(seen->slots, 0, seen->room * sizeof(*seen->slots));
	seen->used = 0;
}

/* Returns the slot of the address, or the free slot for it. There is always a free slot. */
static struct pm_seen_slot *slot_of(const struct pm_seen *seen, __u64 address)
{
	size_t i = (size_t)(address * 0x9e3779b97f4a7c15ull >> 32) & (seen->room - 1);

	while (seen->slots[i].address && seen->slots[i].address != address + 1)
		i = (i + 1) & (seen->room - 1);
	return &seen->slots[i];
}

static bool grow(struct pm_seen *seen)
{
	struct pm_seen grown = { .room = seen->room ? seen->room * 2 : MIN_SLOTS };
	size_t i;

	if (grown.room > MAX_SLOTS)
		return false;
	grown.slots = calloc(grown.room, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	grown.used = seen->used;
	for (i = 0; i < seen->room; i++)
		if (seen->slots[i].address)
			*slot_of(&grown, seen->slots[i].address - 1) = seen->slots[i];
	free(seen->slots);
	*seen = grown;
	return true;
}

bool pm_seen_has(const struct pm_seen *seen, __u64 address)
{
	return seen->room && slot_of(seen, address)->address;
}

bool pm_seen_name(const struct pm_seen *seen, __u64 address, __u64 *name)
{
	const struct pm_seen_slot *slot = seen->room ? slot_of(seen, address) : NULL;

	if (!slot || !slot->address)
		return false;
	*name = slot->name;
	return true;
}

/* Returns the slot of the address, which is new if it has no address yet; NULL: no memory. */
static struct pm_seen_slot *slot_for(struct pm_seen *seen, __u64 address)
{
	/*
	 * The last address cannot be stored, because it would look like a free slot. No object is
	 * there.
	 */
	if (address == ~(__u64)0)
		return NULL;
	if (2 * (seen->used + 1) > seen->room && !grow(seen))
		return NULL;
	return slot_of(seen, address);
}

bool pm_seen_add(struct pm_seen *seen, __u64 address, __u64 name)
{
	struct pm_seen_slot *slot = slot_for(seen, address);

	if (!slot || slot->address)
		return slot && slot->name == name;
	return pm_seen_set(seen, address, name);
}

bool pm_seen_set(struct pm_seen *seen, __u64 address, __u64 name)
{
	struct pm_seen_slot *slot = slot_for(seen, address);

	if (!slot)
		return false;
	seen->used += !slot->address;
	slot->address = address + 1;
	slot->name = name;
	return true;
}
