/* SPDX-License-Identifier: MIT */
/* The map of physical memory, as in /proc/iomem, from the kernel's tree of resources. */
#ifndef PM_RAM_MAP_H
#define PM_RAM_MAP_H

#include "image.h"
#include "ram_walk.h"

struct pm_ram_map {
	struct pm_frame_span *spans;	/* ascending, disjoint */
	size_t n, room;
};

/*
 * Finds the RAM, the parts of the kernel in it, and what of it is offline. RAM has whole frames
 * only; a part has each frame in which it lies. Returns 0, -ENOMEM, or -ENODATA if the kernel has
 * no map.
 */
int pm_find_ram_map(struct pm_image *image, struct pm_ram_map *map);
void pm_free_ram_map(struct pm_ram_map *map);

#endif
