/* SPDX-License-Identifier: MIT */
/* The kernel's own totals of memory, as in /proc/meminfo, in pages. */
#ifndef PM_RAM_TOTALS_H
#define PM_RAM_TOTALS_H

#include "ram_zones.h"

/* Writes the totals as ram.WHEN.NAME. Those that this kernel does not have are left out. */
void pm_emit_ram_totals(struct pm_image *image, const struct pm_zones *zones, const char *when,
			struct pm_out *out);

#endif
