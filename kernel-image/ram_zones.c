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

/* The sum of a member of each CPU's struct, an int or a signed byte. */
static __s64 sum_of_cpus(struct pm_image *image, __u64 structs, struct pm_field field)
{
	const struct pm_layout *layout = image->layout;
	__u64 cpus = number_at(image, layout->at.cpus, 4), cpu;
	__s64 sum = 0;

	for (cpu = 0; structs && cpu < cpus && cpu < MAX_CPUS; cpu++) {
		__u64 offset = number_at(image, layout->at.percpu_offset + 8 * cpu, 8);
		__u64 value = offset ? pm_get(&image->memory, structs + offset, field) : 0;

		sum += field.size == 1 ? (__s8)value : (__s32)value;
	}
	return sum;
}

/*
 * What CPUs have counted of an item, and have not added yet: each adds when it has a batch
 * (mm/vmstat.c).
 */
static __s64 pending(struct pm_image *image, __u64 structs, struct pm_field stat, __u64 item)
{
	if (stat.offset < 0 || item >= (__u64)stat.size)
		return 0;
	return sum_of_cpus(image, structs, (struct pm_field){ stat.offset + (int)item, 1 });
}

static __s64 pending_of_zone(struct pm_image *image, __u64 zone, __u64 item)
{
	return pending(image, PM_GET(image, zone, zone_pending), image->layout->zone_pending_stat,
		       item);
}

/* Between two additions a sum may be below 0; the kernel then shows 0, too. */
static __u64 at_least_0(__u64 sum, __s64 more)
{
	__s64 all = (__s64)sum + more;

	return all < 0 ? 0 : (__u64)all;
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
		.free = at_least_0(element(image, at, layout->zone_stat, layout->nr_free),
				   pending_of_zone(image, at, layout->nr_free)),
		.percpu_lists = (__u64)sum_of_cpus(image, PM_GET(image, at, zone_lists),
						   layout->lists_count),
		.min = element(image, at, layout->zone_marks, 0) + boost,
		.low = element(image, at, layout->zone_marks, 1) + boost,
		.high = element(image, at, layout->zone_marks, 2) + boost,
	};
	zones->n++;
	add_free_orders(image, at, zones);
}

static __u64 count_nodes(struct pm_image *image)
{
	__u64 nodes = image->layout->at.nodes ? number_at(image, image->layout->at.nodes_n, 4) : 1;

	return nodes < MAX_NODES ? nodes : MAX_NODES;
}

/* The pglist_data of a node; 0: there is none. */
static __u64 node_at(struct pm_image *image, __u64 i)
{
	const struct pm_layout *layout = image->layout;

	return layout->at.nodes ? number_at(image, layout->at.nodes + 8 * i, 8) :
				  layout->at.only_node;
}

/* The zone with index i of a node; 0: there are fewer. */
static __u64 zone_at(const struct pm_image *image, __u64 node, size_t i)
{
	const struct pm_layout *layout = image->layout;

	if (!node || layout->node_zones.offset < 0 || !layout->zone_struct ||
	    (i + 1) * layout->zone_struct > (size_t)layout->node_zones.size)
		return 0;
	return node + (__u64)layout->node_zones.offset + i * layout->zone_struct;
}

void pm_find_zones(struct pm_image *image, struct pm_zones *zones)
{
	__u64 nodes = count_nodes(image), node, zone, i;
	size_t of_node;

	zones->n = 0;
	zones->is_complete = true;
	zones->orders = 0;
	memset(zones->free_order, 0, sizeof(zones->free_order));
	for (i = 0; i < nodes; i++) {
		node = node_at(image, i);
		for (of_node = 0; (zone = zone_at(image, node, of_node)); of_node++)
			take_zone(image, PM_GET(image, node, node_number) & 0xffffffffu, zone,
				  zones);
	}
}

__u64 pm_sum_of_zones(struct pm_image *image, __u64 item)
{
	__u64 nodes = count_nodes(image), zone, i;
	__s64 more = 0;
	size_t of_node;

	for (i = 0; i < nodes; i++)
		for (of_node = 0; (zone = zone_at(image, node_at(image, i), of_node)); of_node++)
			more += pending_of_zone(image, zone, item);
	return at_least_0(number_at(image, image->layout->at.zone_stat + 8 * item, 8), more);
}

__u64 pm_sum_of_nodes(struct pm_image *image, __u64 item)
{
	const struct pm_layout *layout = image->layout;
	__u64 nodes = count_nodes(image), i;
	__s64 more = 0;

	for (i = 0; i < nodes; i++) {
		__u64 node = node_at(image, i);

		if (node)
			more += pending(image, PM_GET(image, node, node_pending),
					layout->node_pending_stat, item);
	}
	return at_least_0(number_at(image, layout->at.node_stat + 8 * item, 8), more);
}
