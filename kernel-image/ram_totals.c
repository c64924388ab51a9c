// SPDX-License-Identifier: MIT
#include "ram_totals.h"

#include <stdio.h>

#define MAX_TOTALS (16u + PM_MAX_ORDERS)
#define NAME_BYTES 40u
#define MAX_HUGE_SIZES 16u	/* HUGE_MAX_HSTATE is at most 5 */

struct totals {
	struct pm_image *image;
	const struct pm_zones *zones;
	size_t n;
	struct {
		const char *name;
		__u64 pages;
	} at[MAX_TOTALS];
};

static void add(struct totals *totals, const char *name, __u64 pages)
{
	if (totals->n == MAX_TOTALS)
		return;
	totals->at[totals->n].name = name;
	totals->at[totals->n++].pages = pages;
}

/* An element of vm_node_stat or vm_zone_stat, or a variable with the number 0. */
static __u64 item(const struct totals *totals, __u64 array, __u64 number)
{
	const struct pm_layout *layout = totals->image->layout;
	__u64 value;

	if (!array || number == PM_NONE)
		return 0;
	if (array == layout->at.zone_stat)
		return pm_sum_of_zones(totals->image, number);
	if (array == layout->at.node_stat)
		return pm_sum_of_nodes(totals->image, number);
	value = pm_get(&totals->image->memory, array + 8 * number, (struct pm_field){ 0, 8 });
	return value >> 63 ? 0 : value;
}

static void add_item(struct totals *totals, const char *name, __u64 array, __u64 number)
{
	if (array && number != PM_NONE)
		add(totals, name, item(totals, array, number));
}

static void add_variable(struct totals *totals, const char *name, __u64 address)
{
	if (address)
		add(totals, name, item(totals, address, 0));
}

static void add_node_items(struct totals *totals)
{
	const struct pm_layout *layout = totals->image->layout;
	__u64 nodes = layout->at.node_stat;
	/* Until v5.10 (commit f0c0c115fb81) next to NR_MLOCK, in the counts of zones. */
	__u64 of_tables = layout->nr_tables == layout->nr_mlock + 1 ? layout->at.zone_stat : nodes;

	add_item(totals, "file_pages", nodes, layout->nr_file);
	add_item(totals, "anon", nodes, layout->nr_anon);
	add_item(totals, "shmem", nodes, layout->nr_shmem);
	if (nodes && layout->nr_slab_reclaimable != PM_NONE)
		add(totals, "slab", item(totals, nodes, layout->nr_slab_reclaimable) +
					    item(totals, nodes, layout->nr_slab_unreclaimable));
	if (layout->nr_tables != PM_NONE)
		add(totals, "page_tables", item(totals, of_tables, layout->nr_tables) +
						   item(totals, nodes, layout->nr_second_tables));
	if (nodes && layout->nr_stack_kb != PM_NONE)
		add(totals, "kernel_stack", item(totals, nodes, layout->nr_stack_kb) * 1024 /
						    totals->image->memory.dump->page_size);
}

static void add_free_orders(struct totals *totals)
{
	static const char *const names[PM_MAX_ORDERS] = {
		"free_order.0",	 "free_order.1",  "free_order.2",  "free_order.3",
		"free_order.4",	 "free_order.5",  "free_order.6",  "free_order.7",
		"free_order.8",	 "free_order.9",  "free_order.10", "free_order.11",
		"free_order.12", "free_order.13", "free_order.14", "free_order.15",
	};
	size_t order;

	for (order = 0; order < totals->zones->orders; order++)
		add(totals, names[order], totals->zones->free_order[order]);
}

static void add_zone_items(struct totals *totals)
{
	const struct pm_layout *layout = totals->image->layout;
	__u64 free = 0, listed = 0;
	size_t i;

	for (i = 0; i < totals->zones->n; i++) {
		free += totals->zones->at[i].free;
		listed += totals->zones->at[i].percpu_lists;
	}
	add_item(totals, "free", layout->at.zone_stat, layout->nr_free);
	add_item(totals, "zsmalloc", layout->at.zone_stat, layout->nr_zsmalloc);
	add(totals, "free_in_zones", free);
	add(totals, "free_percpu", listed);
	add_free_orders(totals);
}

/* Pages of all sizes of huge pages, free or not, in base pages. */
static void add_hugetlb(struct totals *totals)
{
	struct pm_image *image = totals->image;
	const struct pm_layout *layout = image->layout;
	__u64 n = item(totals, layout->at.hstates_n, 0) & 0xffffffffu, pages = 0, i;

	if (!layout->at.hstates || !layout->hstate_struct || layout->hstate_pages.offset < 0)
		return;
	for (i = 0; i < n && i < MAX_HUGE_SIZES; i++) {
		__u64 state = layout->at.hstates + i * layout->hstate_struct;

		pages += PM_GET(image, state, hstate_pages)
			 << (PM_GET(image, state, hstate_order) & 31);
	}
	add(totals, "hugetlb", pages);
}

static void find_totals(struct totals *totals)
{
	const struct pm_layout *layout = totals->image->layout;
	__u64 units = item(totals, layout->at.percpu_units, 0) & 0xffffffffu;

	add(totals, "total", totals->image->ram_pages);
	add_zone_items(totals);
	add_node_items(totals);
	/* v7.0: a count of nodes, before a variable. */
	if (layout->nr_vmalloc != PM_NONE)
		add_item(totals, "vmalloc", layout->at.node_stat, layout->nr_vmalloc);
	else
		add_variable(totals, "vmalloc", layout->at.vmalloc_pages);
	if (layout->at.percpu_pages && units)
		add(totals, "percpu", item(totals, layout->at.percpu_pages, 0) * units);
	add_hugetlb(totals);
	add_variable(totals, "poison", layout->at.poisoned_pages);
}

/* Those that may be online: how many are is not known. */
static void emit_processors(struct pm_image *image, struct pm_out *out)
{
	struct pm_field number = { 0, 4 };
	struct pm_counter cpus = { "ram.processors", 0 };

	if (!image->layout->at.cpus)
		return;
	cpus.value = pm_get(&image->memory, image->layout->at.cpus, number);
	pm_emit_counters(out, &cpus, 1);
}

void pm_emit_ram_totals(struct pm_image *image, const struct pm_zones *zones, const char *when,
			struct pm_out *out)
{
	struct totals totals = { .image = image, .zones = zones };
	struct pm_counter counters[MAX_TOTALS];
	char names[MAX_TOTALS][NAME_BYTES];
	size_t i;

	find_totals(&totals);
	for (i = 0; i < totals.n; i++) {
		snprintf(names[i], NAME_BYTES, "ram.%s.%s", when, totals.at[i].name);
		counters[i] = (struct pm_counter){ names[i], totals.at[i].pages };
	}
	pm_emit_counters(out, counters, totals.n);
	emit_processors(image, out);
}
