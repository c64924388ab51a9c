/* SPDX-License-Identifier: MIT */
/*
 * Slots of shared memory in swap (memfd, tmpfs, System V, shared anonymous memory). The page-table
 * entries of such pages are empty. The file's page cache, an xarray, keeps the slots.
 */
#ifndef PM_FILE_SWAP_H
#define PM_FILE_SWAP_H

#include "emit/records.h"
#include "image.h"

/* Returns the root item of a file's page cache; 0 if the file is empty or not shared memory. */
__u64 pm_shared_memory(struct pm_image *image, __u64 file);

/*
 * Finds the first slot at an index in [*index, last], and sets *index, type and offset. Returns
 * false if there is none. An inconsistent tree ends the search and is noted as corrupt.
 */
bool pm_next_slot(struct pm_image *image, __u64 root, __u64 *index, __u64 last,
		  struct pm_swap *slot);

#endif
