/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PM_SLAB_OWNER_H
#define PM_SLAB_OWNER_H

/*
 * Finds where a slab's struct page refers to its cache, and where a cache has its name and sizes,
 * from two caches of its own, which are destroyed again. Called once, when the module is loaded. If
 * it fails, slabs have no owners.
 */
void pm_slab_places_find(void);

#endif
