/* SPDX-License-Identifier: MIT */
/* Reads what the walk of many small VMAs needs in few lists (dump.h), instead of one for each. */
#ifndef PM_AREA_PREFETCH_H
#define PM_AREA_PREFETCH_H

#include "pte_walk.h"

/*
 * Reads page tables and struct pages of the first ones of these VMAs, as many as the cache and the
 * window of struct pages hold. Returns their number, at least 1. Sets tables->is_fetched if the
 * window then has the struct pages of all of them.
 */
size_t pm_prefetch_areas(struct pm_image *image, struct pm_tables *tables, const __u64 *areas,
			 size_t n);

#endif
