/* SPDX-License-Identifier: MIT */
/*
 * The set of addresses that a walk has visited. It ends the walk if a damaged list, tree or table
 * has a cycle.
 */
#ifndef PM_SEEN_H
#define PM_SEEN_H

#include "emit/port.h"

struct pm_seen_slot;

struct pm_seen {
	struct pm_seen_slot *slots;
	size_t room, used;
};

/* A zeroed struct pm_seen is empty. */
void pm_seen_clear(struct pm_seen *seen);
void pm_seen_free(struct pm_seen *seen);

/*
 * Adds the address. Returns false if it was added before under another name, or if out of memory.
 */
bool pm_seen_add(struct pm_seen *seen, __u64 address, __u64 name);
/* The same, but the address gets the new name. Returns false if out of memory. */
bool pm_seen_set(struct pm_seen *seen, __u64 address, __u64 name);
bool pm_seen_has(const struct pm_seen *seen, __u64 address);
/* Sets *name to the address's name. Returns false if the address was not added. */
bool pm_seen_name(const struct pm_seen *seen, __u64 address, __u64 *name);

#endif
