// SPDX-License-Identifier: MIT
#include "slab_totals.h"

#include <stdio.h>

#include "seen.h"

#define NAME_BYTES 128u
#define PREFIX_BYTES 32u

/* A name of a counter has no blank and none of these characters. */
static void make_counter_name(char *name)
{
	for (; *name; name++)
		if (*name <= ' ' || *name > '~' || strchr(",=|\\", *name))
			*name = '_';
}

/*
 * Sum over all nodes. SLUB with CONFIG_SLUB_DEBUG counts slabs and objects. The array has pointers;
 * in later kernels (seen in v7.3) structs with the pointer. It has a hole for a node id that does
 * not exist, or whose memory the kernel does not use for slabs; and only as many elements as there
 * are ids. If their number is not known, the first hole is the end.
 */
static __u64 sum_of_nodes(struct pm_image *image, __u64 cache, struct pm_field field)
{
	const struct pm_layout *layout = image->layout;
	bool has_structs = layout->cache_node_pointer.offset >= 0 && layout->cache_node_struct;
	int size = has_structs ? (int)layout->cache_node_struct : 8;
	int first = has_structs ? layout->cache_node_pointer.offset : 0;
	struct pm_field number = { 0, 4 };
	__u64 ids = layout->at.nodes_n ? pm_get(&image->memory, layout->at.nodes_n, number) : 0;
	__u64 sum = 0, id = 0;
	int at;

	for (at = 0; at + size <= layout->cache_nodes.size && (!ids || id < ids); at += size, id++) {
		struct pm_field pointer = { layout->cache_nodes.offset + at + first, 8 };
		__u64 node = pm_get(&image->memory, cache, pointer);

		if (node)
			sum += pm_get(&image->memory, node, field);
		else if (!ids)
			break;
	}
	return sum;
}

/* Writes PREFIX.NAME, unless it is not known. */
static void emit_number(struct pm_out *out, const char *prefix, const char *cache, __u64 value)
{
	char name[PREFIX_BYTES + NAME_BYTES];
	struct pm_counter counter = { name, value };

	snprintf(name, sizeof(name), "%s.%s", prefix, cache);
	if (value)
		pm_emit_counters(out, &counter, 1);
}

static void emit_cache(struct pm_image *image, __u64 cache, struct pm_out *out)
{
	const struct pm_layout *layout = image->layout;
	char name[NAME_BYTES];
	/* kmem_cache_order_objects: the order is in the upper half. */
	__u64 order = PM_GET(image, cache, cache_objects) >> 16 & 0xffff;
	__u64 slabs = sum_of_nodes(image, cache, layout->cache_node_slabs);

	if (!slabs || order > 10 || slabs >> 52 ||
	    !pm_get_text(&image->memory, PM_GET(image, cache, cache_name), name, sizeof(name)))
		return;
	make_counter_name(name);
	emit_number(out, "slab", name, slabs << order);
	emit_number(out, "slab_slabs", name, slabs);
	if (layout->cache_node_objects.offset >= 0)
		emit_number(out, "slab_objects", name,
			    sum_of_nodes(image, cache, layout->cache_node_objects));
	emit_number(out, "slab_object_bytes", name, PM_GET(image, cache, cache_bytes));
	if (PM_GET(image, cache, cache_flags) & layout->reclaimable_cache)
		emit_number(out, "slab_reclaimable", name, 1);
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
