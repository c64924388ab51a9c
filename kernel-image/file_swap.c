// SPDX-License-Identifier: MIT
#include "file_swap.h"

#define TMPFS_MAGIC 0x01021994u	/* include/uapi/linux/magic.h */
/* include/linux/swapops.h: BITS_PER_XA_VALUE - MAX_SWAPFILES_SHIFT */
#define SWP_TYPE_SHIFT 58
#define MAX_SWAPFILES_MASK 31u
#define MAX_INTERNAL 4096u	/* include/linux/xarray.h: smaller internal items are not nodes */
#define INDEX_BITS 64u

/*
 * A position in the tree: the item there, and the distance of the wanted index from the item's
 * first index.
 */
struct place {
	__u64 item;
	__u64 within;
	__u64 pages;	/* indexes from the wanted one to the end of this slot of the node */
};

__u64 pm_shared_memory(struct pm_image *image, __u64 file)
{
	const struct pm_layout *layout = image->layout;
	__u64 mapping, host;

	if (!file || layout->file_mapping.offset < 0 || layout->mapping_root.offset < 0 ||
	    layout->mapping_host.offset < 0 || layout->super_magic.offset < 0 ||
	    layout->xa_shift.offset < 0 || layout->xa_slots.size != 64 * (int)sizeof(__u64))
		return 0;
	mapping = PM_GET(image, file, file_mapping);
	host = mapping ? PM_GET(image, mapping, mapping_host) : 0;
	if (!host || PM_GET(image, PM_GET(image, host, inode_super), super_magic) != TMPFS_MAGIC)
		return 0;
	return PM_GET(image, mapping, mapping_root);
}

static bool is_value(__u64 item)
{
	return item & 1;
}

static bool is_internal(__u64 item)
{
	return (item & 3) == 2;
}

static bool is_node(__u64 item)
{
	return is_internal(item) && item > MAX_INTERNAL;
}

static __u64 slot_at(struct pm_image *image, __u64 node, __u64 slot)
{
	__u64 at = node + (__u64)image->layout->xa_slots.offset + slot * sizeof(__u64);
	__u64 item = 0;

	pm_read(&image->memory, PM_KERNEL, at, &item, sizeof(item));
	return item;
}

/*
 * An item of several slots is in the first of them. The others hold the number of that slot
 * (xa_is_sibling()).
 */
static struct place look(struct pm_image *image, __u64 node, __u64 index, unsigned int shift)
{
	__u64 slot = index >> shift & 63;
	__u64 rest = index & ((1ull << shift) - 1);
	struct place place = { slot_at(image, node, slot), rest, (1ull << shift) - rest };

	if (is_internal(place.item) && !is_node(place.item) && place.item >> 2 < slot) {
		place.within += (slot - (place.item >> 2)) << shift;
		place.item = slot_at(image, node, place.item >> 2);
	}
	return place;
}

/*
 * Descends to the item for index. Returns false if the tree is corrupt or does not cover the index.
 */
static bool find_place(struct pm_image *image, __u64 root, __u64 index, struct place *place)
{
	unsigned int above = INDEX_BITS;

	*place = (struct place){ index ? 0 : root, 0, 1 };
	if (!is_node(root))
		return !index;
	place->item = root;
	while (is_node(place->item)) {
		__u64 node = place->item - 2;
		unsigned int shift = (unsigned int)PM_GET(image, node, xa_shift);

		if (shift >= above || shift % 6 || shift > 60) {
			image->notes.corrupt++;
			return false;
		}
		if (above == INDEX_BITS && shift + 6 < INDEX_BITS && index >> (shift + 6))
			return false;
		*place = look(image, node, index, shift);
		above = shift;
	}
	return true;
}

bool pm_next_slot(struct pm_image *image, __u64 root, __u64 *index, __u64 last,
		  struct pm_swap *slot)
{
	struct place place;

	while (*index <= last && find_place(image, root, *index, &place)) {
		__u64 value = place.item >> 1;

		slot->type = value >> SWP_TYPE_SHIFT & MAX_SWAPFILES_MASK;
		slot->offset = (value & ((1ull << SWP_TYPE_SHIFT) - 1)) + place.within;
		if (is_value(place.item) && slot->type < image->layout->max_swap_types)
			return true;
		*index += is_value(place.item) ? 1 : place.pages;
	}
	return false;
}
