/* SPDX-License-Identifier: MIT */
/* Zones and totals of the kernel, as in /proc/zoneinfo and /proc/meminfo. */
#ifndef PM_RAM_ZONES_H
#define PM_RAM_ZONES_H

#include "emit/ram.h"
#include "image.h"

#define PM_ZONE_NAME_BYTES 16u
#define PM_MAX_ZONES 1024u

struct pm_zones {
	size_t n;
	struct pm_zone at[PM_MAX_ZONES];		/* their names point to names */
	char names[PM_MAX_ZONES][PM_ZONE_NAME_BYTES];
};

/* Zones with memory, in the order of nodes. More than PM_MAX_ZONES are left out and noted. */
void pm_find_zones(struct pm_image *image, struct pm_zones *zones);

#endif
