/* SPDX-License-Identifier: GPL-2.0-only */
/* Which frames are RAM, and which of them hold the kernel's image: what /proc/iomem shows. */
#ifndef PM_RAM_MAP_H
#define PM_RAM_MAP_H

#include <linux/types.h>

#include "emit/ram.h"

/* Consecutive frames. What lies between spans is no RAM. */
struct pm_ram_span {
	u64 begin, end;
};

/* The crash kernel's memory: one area, and one below 4 GiB. */
#define PM_MAX_CRASH_SPANS 4

struct pm_ram_map {
	struct pm_ram_span *spans;	/* ascending, disjoint */
	size_t n, room;
	struct pm_ram_span crash[PM_MAX_CRASH_SPANS];
	size_t n_crash;
};

/*
 * Finds the parts of the kernel's image. They are the same from boot on, so they are looked up
 * once, when the module is loaded.
 */
void pm_kernel_parts_find(void);

/* Returns 0 or -ENOMEM. May sleep. */
int pm_ram_map_make(struct pm_ram_map *map);
void pm_ram_map_free(struct pm_ram_map *map);

/* The class of a reserved frame: reserved, or a part of the kernel. */
enum pm_ram_class pm_reserved_class(const struct pm_ram_map *map, u64 pfn);
/* Reserved frames up to this one have the same class as pfn. */
u64 pm_reserved_end(const struct pm_ram_map *map, u64 pfn);

#endif
