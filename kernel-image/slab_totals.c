// SPDX-License-Identifier: MIT
#include "slab_totals.h"

#include "seen.h"

#define NAME_BYTES 128u
#define PREFIX "slab."

/* A name of a counter has no blank and none of these characters. */
static void make_counter_name(char *name)
{
	for (; *name; name++)
		if (*name <= ' ' || *name > '~' || strchr(",=|\\", *name))
			*name = '_';
}

/*
 * nr_slabs of all nodes; SLUB with CONFIG_SLUB_DEBUG has them. The array has pointers; in later
 * kernels (seen in v7.3) structs with the pointer.
 */
static __u64 slabs_of(struct pm_image *image, __u64 cache)
{
	const struct pm_layout *layout = image->layout;
	bool has_structs = layout->cache_node_pointer.offset >= 0 && layout->cache_node_struct;
	int size = has_structs ? (int)layout->cache_node_struct : 8;
	int first = has_structs ? layout->cache_node_pointer.offset : 0;
	__u64 sum = 0;
	int at;

	for (at = 0; at + size <= layout->cache_nodes.size; at += size) {
		struct pm_field field = { layout->cache_nodes.offset + at + first, 8 };
		__u64 node = pm_get(&image->memory, cache, field);

		/* The kernel allocates only as many elements as it has nodes. */
		if (!node)
			break;
		sum += PM_GET(image, node, cache_node_slabs);
	}
	return sum;
}

static void emit_cache(struct pm_image *image, __u64 cache, struct pm_out *out)
{
	char name[NAME_BYTES] = PREFIX;
	/* kmem_cache_order_objects: the order is in the upper half. */
	__u64 order = PM_GET(image, cache, cache_objects) >> 16 & 0xffff;
	struct pm_counter counter = { name, slabs_of(image, cache) };

	if (!counter.value || order > 10 || counter.value >> 52 ||
	    !pm_get_text(&image->memory, PM_GET(image, cache, cache_name),
			 name + sizeof(PREFIX) - 1, sizeof(name) - sizeof(PREFIX) + 1))
		return;
	counter.value <<= order;
	make_counter_name(name);
	pm_emit_counters(out, &counter, 1);
}

void pm_emit_slab_totals(struct pm_image *image, struct pm_out *out)
{
	const struct pm_layout *layout = image->layout;
	__u64 head = layout->at.slab_caches;
	struct pm_seen seen = { .used = 0 };
	__u64 node;

	if (!head || layout->cache_list.offset < 0 || layout->cache_node_slabs.offset < 0)
		return;
	node = pm_get(&image->memory, head, (struct pm_field){ 0, 8 });
	while (node && node != head && !pm_seen_has(&seen, node) && pm_seen_add(&seen, node, 0)) {
		__u64 cache = node - (__u64)layout->cache_list.offset;

		emit_cache(image, cache, out);
		node = PM_GET(image, cache, cache_list);
	}
	pm_seen_free(&seen);
}
