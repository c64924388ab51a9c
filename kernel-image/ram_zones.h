/* SPDX-License-Identifier: MIT */
/* Zones and totals of the kernel, as in /proc/zoneinfo and /proc/meminfo. */
#ifndef PM_RAM_ZONES_H
#define PM_RAM_ZONES_H

#include "emit/ram.h"
#include "image.h"

#define PM_ZONE_NAME_BYTES 16u
#define PM_MAX_ZONES 1024u

/* Free blocks of arm64 have orders up to 13, since v6.8 10 everywhere: MAX_PAGE_ORDER. */
#define PM_MAX_ORDERS 16u

struct pm_zones {
	size_t n;
	bool is_complete;			/* false: zones were left out, or have no name */
	size_t orders;				/* 0: unknown */
	__u64 free_order[PM_MAX_ORDERS];	/* pages in free blocks of all zones, by order */
	struct pm_zone at[PM_MAX_ZONES];		/* their names point to names */
	char names[PM_MAX_ZONES][PM_ZONE_NAME_BYTES];
};

/* Zones with memory, in the order of nodes. More than PM_MAX_ZONES are left out and noted. */
void pm_find_zones(struct pm_image *image, struct pm_zones *zones);

/*
 * The kernel's count of an item of vm_zone_stat or vm_node_stat, with what CPUs have not added to
 * it yet.
 */
__u64 pm_sum_of_zones(struct pm_image *image, __u64 item);
__u64 pm_sum_of_nodes(struct pm_image *image, __u64 item);

#endif
