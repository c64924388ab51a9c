/* SPDX-License-Identifier: MIT */
/*
 * Slots of shared memory in swap (memfd, tmpfs, System V, shared anonymous memory). The table
 * entries of such pages are empty; the file's page cache, an xarray, keeps the slots.
 */
#ifndef PM_FILE_SWAP_H
#define PM_FILE_SWAP_H

#include "emit/records.h"
#include "image.h"

/*
 * The root item of the page cache of a struct file; 0 if the file is not shared memory, or empty.
 */
__u64 pm_shared_memory(struct pm_image *image, __u64 file);

/*
 * Finds the first slot at an index in [*index, last]: sets *index, type and offset. False if there
 * is none. A tree that contradicts itself ends the search and is noted as corrupt.
 */
bool pm_next_slot(struct pm_image *image, __u64 root, __u64 *index, __u64 last, struct pm_swap *slot);

#endif
