/* SPDX-License-Identifier: MIT */
/* One VMA of an address space: reads its pages stretch by stretch, counts and writes them. */
#ifndef PM_AREA_WALK_H
#define PM_AREA_WALK_H

#include "emit/emit.h"
#include "pte_walk.h"
#include "vma_walk.h"

struct pm_area_walk {
	struct pm_image *image;
	struct pm_tables tables;	/* pm_tables_open() for each address space */
	struct pm_area area;
	struct pm_page_counts counts;	/* of the VMA so far */
	__u64 excluded;			/* pages of the VMA that are not in the dump */
	struct pm_stretch found;	/* the current stretch */
};

/* Forgets the previous VMA, and reads the first stretch. Returns where the next one begins. */
__u64 pm_area_begin(struct pm_area_walk *walk);
/* Reads the stretch of the VMA's pages at va. Returns where the next one begins. */
__u64 pm_area_next(struct pm_area_walk *walk, __u64 va);
/* Adds the stretch to the counts. */
void pm_area_tally(struct pm_area_walk *walk);

/* Writes V: and P:. */
void pm_area_emit(struct pm_area_walk *walk, struct pm_out *out);
/* Writes P: again, with the counts of now. */
void pm_area_emit_counts(struct pm_area_walk *walk, struct pm_out *out);
/* Writes M: and S: of a VMA that is one stretch. */
void pm_area_emit_stretch(const struct pm_area_walk *walk, struct pm_out *out);
/* Adds the VMA to the sums of a snapshot. */
void pm_area_add_to(const struct pm_area_walk *walk, struct pm_end *end);

#endif
