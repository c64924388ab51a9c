/* SPDX-License-Identifier: MIT */
/*
 * Which addresses a walk has met: what ends it when a damaged list, tree or table leads back into
 * itself.
 */
#ifndef PM_SEEN_H
#define PM_SEEN_H

#include "emit/port.h"

struct pm_seen_slot;

struct pm_seen {
	struct pm_seen_slot *slots;
	size_t room, used;
};

/* Zeroed is empty. */
void pm_seen_clear(struct pm_seen *seen);
void pm_seen_free(struct pm_seen *seen);

/*
 * Whether the address is new, or was met under the same name before. False too when there is no
 * memory for one more.
 */
bool pm_seen_add(struct pm_seen *seen, __u64 address, __u64 name);
bool pm_seen_has(const struct pm_seen *seen, __u64 address);

#endif
