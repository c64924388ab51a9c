/* SPDX-License-Identifier: MIT */
/* Pages of each slab cache by the kernel's own counts, as in /proc/slabinfo. */
#ifndef PM_SLAB_TOTALS_H
#define PM_SLAB_TOTALS_H

#include "emit/emit.h"
#include "image.h"

/* Writes a counter slab.NAME for each cache that has pages. */
void pm_emit_slab_totals(struct pm_image *image, struct pm_out *out);

#endif
