// SPDX-License-Identifier: GPL-2.0-only
#include "file_swap.h"

#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/shmem_fs.h>
#include <linux/xarray.h>

#include "kernel/compat_tables.h"

struct address_space *pm_swapped_file(const struct vm_area_struct *vma)
{
	struct address_space *mapping = vma->vm_file ? vma->vm_file->f_mapping : NULL;
	struct inode *inode = mapping ? mapping->host : NULL;

	/*
	 * shmem_mapping() is not exported. Only mm/shmem.c uses this magic, and its inodes are
	 * shmem_inode_info.
	 */
	if (!inode || inode->i_sb->s_magic != TMPFS_MAGIC || !S_ISREG(inode->i_mode))
		return NULL;
	return READ_ONCE(SHMEM_I(inode)->swapped) ? mapping : NULL;
}

/*
 * The slots of a large folio follow each other from the one in its item (v6.12, commit
 * 809bc86517cc). The item is read again, because it may be split at any time.
 */
static bool read_slot(struct xarray *pages, unsigned long index, void *item, struct pm_swap *slot)
{
	swp_entry_t entry = radix_to_swp_entry(item);
	unsigned long within = index & ((1UL << xa_get_order(pages, index)) - 1);

	slot->type = swp_type(entry);
	slot->offset = swp_offset(entry) + within;
	/* Higher types are markers, for example for a lost page. */
	return slot->type < MAX_SWAPFILES && xa_load(pages, index) == item;
}

enum pm_file_item pm_next_item(struct address_space *mapping, unsigned long *index,
			       unsigned long last, struct pm_swap *slot)
{
	void *item = xa_find(&mapping->i_pages, index, last, XA_PRESENT);

	if (!item)
		return PM_FILE_END;
	if (!xa_is_value(item) || !read_slot(&mapping->i_pages, *index, item, slot))
		return PM_FILE_OTHER;
	return PM_FILE_SLOT;
}
