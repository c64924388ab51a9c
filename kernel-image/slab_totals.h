/* SPDX-License-Identifier: MIT */
/* Pages, slabs and objects of each slab cache by the kernel's own counts, as in /proc/slabinfo. */
#ifndef PM_SLAB_TOTALS_H
#define PM_SLAB_TOTALS_H

#include "emit/emit.h"
#include "image.h"

/*
 * Writes the counters slab.NAME, slab_slabs.NAME, slab_objects.NAME and slab_object_bytes.NAME for
 * each cache that has pages. How many objects are in use would follow only from its partial lists.
 */
void pm_emit_slab_totals(struct pm_image *image, struct pm_out *out);

#endif
