/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The owners of frames that have an O: line. All functions are called in an RCU section; what they
 * are given was found in the same section.
 */
#ifndef PM_OWNERS_H
#define PM_OWNERS_H

#include <linux/limits.h>

#include "emit/ram.h"
#include "kernel/compat_ram.h"
#include "known.h"

struct pm_owners {
	struct pm_ram_writer *writer;
	struct pm_known known;	/* values: see pm_owner_name() */
	u64 last_id;
	u64 lost;		/* frames whose owner there was no room for */
	/* The last ones of the current RCU section. NULL, 0: none yet. */
	const void *last_mapping;
	u64 last_file;
	const void *last_cache;
	u64 last_slab;
	unsigned long last_charge;
	u64 last_group;
	char path[PATH_MAX];
};

/* The value of a known owner: its id in O: and the class of its frames. */
static inline u64 pm_owner_name(u64 id, enum pm_ram_class class_)
{
	return id << 8 | class_;
}

/* At the beginning of an RCU section: addresses may have been given to others. */
static inline void pm_owners_renew(struct pm_owners *owners)
{
	owners->last_mapping = NULL;
	owners->last_cache = NULL;
	owners->last_charge = 0;
}

/* Mixes a key of two numbers. Of 4 Mi keys two are equal with a probability of 5e-7. */
static inline u64 pm_owner_key(u64 a, u64 b)
{
	u64 key = (a ^ b * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return key ^ key >> 32;
}

/* Writes the O: line of a new owner. Returns its name; 0: there is no room for it. */
u64 pm_put_owner(struct pm_owners *owners, u64 key, enum pm_ram_class class_,
		 struct pm_ram_owner *owner);

/*
 * Reads text until its end, at most room - 1 bytes. Returns its length; 0 if it cannot be read or
 * is not printable.
 */
size_t pm_read_name(char *to, size_t room, const char *from);

/* Returns the id of the file, and sets its class: file, block or shmem. 0: unknown. */
u64 pm_file_owner(struct pm_owners *owners, struct address_space *mapping,
		  enum pm_ram_class *class_);

/* Returns the id of the slab cache of this page. copy: of its folio. 0: unknown. */
u64 pm_slab_owner(struct pm_owners *owners, struct page *page, const struct pm_page_copy *copy);

/* Returns the id of the task with this process id, which has the frame in its stack. 0: unknown. */
u64 pm_task_owner(struct pm_owners *owners, pid_t pid, u64 pfn);

/* Returns the id of the cgroup that pays. charge: of pm_charge_of(). 0: none or unknown. */
u64 pm_cgroup_owner(struct pm_owners *owners, unsigned long charge);

#endif
