/* SPDX-License-Identifier: MIT */
/*
 * Owners of frames: writes an O: line for each file, slab cache, cgroup, task and function,
 * once.
 */
#ifndef PM_RAM_OWNER_H
#define PM_RAM_OWNER_H

#include "emit/ram.h"
#include "image.h"
#include "marks.h"
#include "page_stack.h"
#include "seen.h"

#define PM_OWNER_PATH_BYTES 4096u

struct pm_ram_owners {
	struct pm_image *image;
	struct pm_ram_writer *writer;
	struct pm_seen known;	/* by key_of() or kernel address; the name is id << 8 | class */
	__u64 last_mapping, last_file;	/* of the last call of pm_owner_of_file(): address, name */
	__u64 last_charge, last_group;	/* of the last call of pm_owner_of_charge() */
	__u64 last_id;
	char path[PM_OWNER_PATH_BYTES];
};

void pm_ram_owners_open(struct pm_ram_owners *owners, struct pm_image *image,
			struct pm_ram_writer *writer);
void pm_ram_owners_close(struct pm_ram_owners *owners);

/*
 * Returns the id of the file with this struct address_space, and sets its class: file, block or
 * shmem. 0: the address contradicts itself; nothing is written.
 */
__u64 pm_owner_of_file(struct pm_ram_owners *owners, __u64 mapping, enum pm_ram_class *class_);
/*
 * Reads together what pm_owner_of_file() needs for these n addresses, up to PM_FRAMES_TOGETHER,
 * which may be wrong. Does nothing if the dump reads no lists.
 */
void pm_prefetch_owners(struct pm_ram_owners *owners, const __u64 *mappings, size_t n);
/* The same as pm_owner_of_file() for a slab cache. */
__u64 pm_owner_of_cache(struct pm_ram_owners *owners, __u64 cache);
/* The same for the cgroup that memcg_data of a page refers to. */
__u64 pm_owner_of_charge(struct pm_ram_owners *owners, __u64 charge);
/* The same for the owner of a mark. 0: it has none, or the owner has no name. */
__u64 pm_owner_of_mark(struct pm_ram_owners *owners, const struct pm_mark *mark);
/*
 * The same for the stack of this handle, with the class that follows from it: kernel, or
 * large_kmalloc. 0: the handle contradicts itself.
 */
__u64 pm_owner_of_stack(struct pm_ram_owners *owners, struct pm_page_stacks *stacks, __u32 handle,
			enum pm_ram_class *class_);

#endif
