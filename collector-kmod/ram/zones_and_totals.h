/* SPDX-License-Identifier: GPL-2.0-only */
/* Z: lines, and the kernel's own totals of memory, as far as modules can read them. */
#ifndef PM_ZONES_AND_TOTALS_H
#define PM_ZONES_AND_TOTALS_H

#include "emit/emit.h"

/*
 * Writes the zones of the first online node from *node on, and sets *node after it: at most 2 KiB
 * of text. Returns false if there is none.
 */
bool pm_emit_zones(struct pm_out *out, int *node);

/*
 * The same for the counters of a node that come before the tasks: node.N.cpus, and the first and
 * spanned frames of its zones. At most 2 KiB.
 */
bool pm_emit_places(struct pm_out *out, int *node);

/* Writes the totals, in pages, before or after the frames are read: at most 2 KiB. */
void pm_emit_totals_before(struct pm_out *out);
void pm_emit_totals_after(struct pm_out *out);

#endif
