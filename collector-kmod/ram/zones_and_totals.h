/* SPDX-License-Identifier: GPL-2.0-only */
/* Z: lines, and the kernel's own totals of memory, as far as modules can read them. */
#ifndef PM_ZONES_AND_TOTALS_H
#define PM_ZONES_AND_TOTALS_H

#include <linux/types.h>

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

/* The time between two readings of the totals while frames are read. */
#define PM_SAMPLE_MS 10

struct pm_total_sample {
	u64 sum, low, high, last;
};

/* All 0 at first. */
struct pm_total_samples {
	struct pm_total_sample of[16];
	u64 times;
	u64 between;		/* the most pages that came and went between two of them */
	unsigned long next;	/* jiffies */
};

/* Reads the totals, if it is time to or now. */
void pm_sample_totals(struct pm_total_samples *samples, bool now);
/* Writes the mean, the lowest and the highest of each, and `between`: at most 3 KiB. */
void pm_emit_total_samples(struct pm_out *out, const struct pm_total_samples *samples);

#endif
