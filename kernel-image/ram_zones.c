// SPDX-License-Identifier: MIT
#include "ram_zones.h"

#include <ctype.h>

#define MAX_NODES 1024u
#define MAX_CPUS 8192u

static __u64 number_at(struct pm_image *image, __u64 at, int bytes)
{
	return at ? pm_get(&image->memory, at, (struct pm_field){ 0, bytes }) : 0;
}

/* Element i of an array of words that is a member of the zone. */
static __u64 element(struct pm_image *image, __u64 zone, struct pm_field array, __u64 i)
{
	if (array.offset < 0 || (int)(8 * (i + 1)) > array.size)
		return 0;
	return number_at(image, zone + (__u64)array.offset + 8 * i, 8);
}

static __u64 on_lists(struct pm_image *image, __u64 zone)
{
	const struct pm_layout *layout = image->layout;
	__u64 lists = PM_GET(image, zone, zone_lists);
	__u64 cpus = number_at(image, layout->at.cpus, 4), sum = 0, cpu;

	for (cpu = 0; lists && cpu < cpus && cpu < MAX_CPUS; cpu++) {
		__u64 offset = number_at(image, layout->at.percpu_offset + 8 * cpu, 8);

		if (offset)
			sum += PM_GET(image, lists + offset, lists_count);
	}
	return sum;
}

/* "DMA32", "Normal" ...; false, and "?", if the dump lacks it or has something else there. */
static bool get_zone_name(struct pm_image *image, __u64 zone, char *name)
{
	size_t length = pm_get_text(&image->memory, PM_GET(image, zone, zone_name), name,
				    PM_ZONE_NAME_BYTES);
	size_t i = 0;

	while (i < length && isalnum((unsigned char)name[i]))
		i++;
	if (length && i == length)
		return true;
	memcpy(name, "?", 2);
	return false;
}

/* Pages in free blocks; their sum is the zone's number of free pages. */
static void add_free_orders(struct pm_image *image, __u64 zone, struct pm_zones *zones)
{
	const struct pm_layout *layout = image->layout;
	__u64 area = zone + (__u64)layout->zone_areas.offset;
	size_t n = layout->area_struct ? (size_t)layout->zone_areas.size / layout->area_struct : 0;
	size_t order;

	if (layout->zone_areas.offset < 0 || layout->area_free.offset < 0 || n > PM_MAX_ORDERS)
		return;
	zones->orders = n;
	for (order = 0; order < n; order++, area += layout->area_struct)
		zones->free_order[order] += PM_GET(image, area, area_free) << order;
}

static void take_zone(struct pm_image *image, __u64 node, __u64 at, struct pm_zones *zones)
{
	const struct pm_layout *layout = image->layout;
	__u64 spanned = PM_GET(image, at, zone_spanned), boost = PM_GET(image, at, zone_boost);

	if (!spanned)
		return;
	if (zones->n == PM_MAX_ZONES) {
		image->notes.corrupt++;
		zones->is_complete = false;
		return;
	}
	if (!get_zone_name(image, at, zones->names[zones->n]))
		zones->is_complete = false;
	zones->at[zones->n] = (struct pm_zone){
		.node = node,
		.name = zones->names[zones->n],
		.first_pfn = PM_GET(image, at, zone_start),
		.spanned = spanned,
		.present = PM_GET(image, at, zone_present),
		.managed = PM_GET(image, at, zone_managed),
		.free = element(image, at, layout->zone_stat, layout->nr_free),
		.percpu_lists = on_lists(image, at),
		.min = element(image, at, layout->zone_marks, 0) + boost,
		.low = element(image, at, layout->zone_marks, 1) + boost,
		.high = element(image, at, layout->zone_marks, 2) + boost,
	};
	zones->n++;
	add_free_orders(image, at, zones);
}

static void take_node(struct pm_image *image, __u64 node, struct pm_zones *zones)
{
	const struct pm_layout *layout = image->layout;
	__u64 number = PM_GET(image, node, node_number);
	__u64 first = node + (__u64)layout->node_zones.offset;
	size_t i;

	for (i = 0; (i + 1) * layout->zone_struct <= (size_t)layout->node_zones.size; i++)
		take_zone(image, number & 0xffffffffu, first + i * layout->zone_struct, zones);
}

void pm_find_zones(struct pm_image *image, struct pm_zones *zones)
{
	const struct pm_layout *layout = image->layout;
	__u64 nodes = number_at(image, layout->at.nodes_n, 4), i;

	zones->n = 0;
	zones->is_complete = true;
	zones->orders = 0;
	memset(zones->free_order, 0, sizeof(zones->free_order));
	if (layout->node_zones.offset < 0 || !layout->zone_struct)
		return;
	if (!layout->at.nodes) {
		if (layout->at.only_node)
			take_node(image, layout->at.only_node, zones);
		return;
	}
	for (i = 0; i < (nodes ? nodes : 1) && i < MAX_NODES; i++) {
		__u64 node = number_at(image, layout->at.nodes + 8 * i, 8);

		if (node)
			take_node(image, node, zones);
	}
}
