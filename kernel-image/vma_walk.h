/* SPDX-License-Identifier: MIT */
/*
 * Walks the VMAs of an address space, by the maple tree (since v6.1, commit d4af56c5c7c6) or by the
 * list of older kernels.
 */
#ifndef PM_VMA_WALK_H
#define PM_VMA_WALK_H

#include "emit/records.h"
#include "image.h"
#include "path.h"
#include "pte_walk.h"

/* Four times 1048576, the vm.max_map_count of distributions. More VMAs count as corrupt. */
#define PM_MAX_AREAS (1u << 22)

/* Kernel addresses of vm_area_structs, in order of the VMAs. */
struct pm_areas {
	__u64 *at;
	size_t n, room;
};

/* Returns 0, -ENOMEM or -EINTR. A second call reuses the memory of the first. */
int pm_find_areas(struct pm_image *image, __u64 mm, struct pm_areas *areas);
void pm_free_areas(struct pm_areas *areas);

/* Fields of an address space, read once. */
struct pm_space_facts {
	__u64 mm;
	__u64 brk, start_brk, start_stack;
	__u64 program;	/* inode; 0: none */
};

void pm_read_space(struct pm_image *image, __u64 mm, struct pm_space_facts *space);

/* One VMA: its V: record, whose unit is in name, and the input of the page-table walk. */
struct pm_area {
	struct pm_vma record;
	struct pm_range range;
	char name[PM_PATH_BYTES];
};

void pm_area_facts(struct pm_image *image, const struct pm_space_facts *space, __u64 at,
		   struct pm_area *area);

#endif
