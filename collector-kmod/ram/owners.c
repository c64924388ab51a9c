// SPDX-License-Identifier: GPL-2.0-only
#include "owners.h"

#include <linux/ctype.h>

u64 pm_put_owner(struct pm_owners *owners, u64 key, enum pm_ram_class class_,
		 struct pm_ram_owner *owner)
{
	u64 name = pm_owner_name(owners->last_id + 1, class_);

	if (!pm_known_add(&owners->known, key, name)) {
		owners->lost++;
		return 0;
	}
	owner->id = ++owners->last_id;
	pm_ram_put_owner(owners->writer, owner);
	return name;
}

size_t pm_read_name(char *to, size_t room, const char *from)
{
	size_t i;

	for (i = 0; i < room && pm_read_safely(to + i, from + i, 1); i++) {
		if (!to[i])
			return i;
		if (!isprint(to[i]))
			return 0;
	}
	return 0;
}
