/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slots of shared memory in swap (memfd, tmpfs, System V, shared anonymous memory). When a page of
 * such a file is swapped out, the page-table entries that map it become empty. Only the file's page
 * cache keeps the slot, where mm/shmem.c stores it.
 */
#ifndef PM_FILE_SWAP_H
#define PM_FILE_SWAP_H

#include <linux/mm_types.h>

#include "emit/records.h"

/*
 * The page cache of vma's file, if some of the file is in swap; otherwise NULL. Called under
 * mmap_lock.
 */
struct address_space *pm_swapped_file(const struct vm_area_struct *vma);

/*
 * Finds the first index in [*index, last] with a page or a slot, stores it in *index, and returns
 * what is there. PM_FILE_SLOT sets type and offset of slot.
 */
enum pm_file_item { PM_FILE_END, PM_FILE_SLOT, PM_FILE_OTHER };
enum pm_file_item pm_next_item(struct address_space *mapping, unsigned long *index,
			       unsigned long last, struct pm_swap *slot);

#endif
