// SPDX-License-Identifier: GPL-2.0-only
#include "zones_and_totals.h"

#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/swap.h>
#include <linux/topology.h>

#include "emit/ram.h"
#include "kernel/compat_ram.h"

static unsigned long listed_pages(struct zone *zone)
{
	unsigned long pages = 0;
	int cpu;

	for_each_online_cpu(cpu)
		pages += pm_listed_pages(zone, cpu);
	return pages;
}

/*
 * The zones of an online node stay where they are: a node that goes offline keeps its pg_data_t.
 * Their numbers may change while they are read, as in /proc/zoneinfo.
 */
static void read_zone(int node, struct zone *zone, struct pm_zone *record)
{
	*record = (struct pm_zone){
		.node = node,
		.name = zone->name,
		.first_pfn = zone->zone_start_pfn,
		.spanned = zone->spanned_pages,
		.present = zone->present_pages,
		.managed = zone_managed_pages(zone),
		.free = zone_page_state(zone, NR_FREE_PAGES),
		.percpu_lists = listed_pages(zone),
		.min = min_wmark_pages(zone),
		.low = low_wmark_pages(zone),
		.high = high_wmark_pages(zone),
	};
}

typedef void (*zone_writer)(struct pm_out *out, const struct pm_zone *zone);

/* Writes each zone that has frames. */
static void emit_zones_of(struct pm_out *out, int node, zone_writer write)
{
	struct pm_zone record;
	int i;

	for (i = 0; i < MAX_NR_ZONES; i++) {
		read_zone(node, &NODE_DATA(node)->node_zones[i], &record);
		if (record.spanned)
			write(out, &record);
	}
}

/* Returns the first online node from *next on, and sets *next after it; NUMA_NO_NODE: none. */
static int take_node(int *next)
{
	while (*next < MAX_NUMNODES && !node_online(*next))
		(*next)++;
	return *next < MAX_NUMNODES ? (*next)++ : NUMA_NO_NODE;
}

bool pm_emit_zones(struct pm_out *out, int *node)
{
	int taken = take_node(node);

	if (taken == NUMA_NO_NODE)
		return false;
	emit_zones_of(out, taken, pm_emit_zone);
	return true;
}

/* Online CPUs, as in /sys/devices/system/node, which only kernels with NUMA have. */
static void emit_cpus(struct pm_out *out, int node)
{
	char name[32];
	struct pm_counter cpus = { name, 0 };
	int cpu;

	if (!IS_ENABLED(CONFIG_NUMA))
		return;
	for_each_cpu_and(cpu, cpumask_of_node(node), cpu_online_mask)
		cpus.value++;
	snprintf(name, sizeof(name), "node.%d.cpus", node);
	pm_emit_counters(out, &cpus, 1);
}

bool pm_emit_places(struct pm_out *out, int *node)
{
	int taken = take_node(node);

	if (taken == NUMA_NO_NODE)
		return false;
	emit_cpus(out, taken);
	emit_zones_of(out, taken, pm_emit_zone_place);
	return true;
}

/* Free pages of all zones: in their lists, and in per-CPU lists. */
static void sum_free(__u64 *in_zones, __u64 *in_lists)
{
	int node, i;

	*in_zones = 0;
	*in_lists = 0;
	for_each_online_node(node) {
		for (i = 0; i < MAX_NR_ZONES; i++) {
			struct zone *zone = &NODE_DATA(node)->node_zones[i];

			if (!zone->spanned_pages)
				continue;
			*in_zones += zone_page_state(zone, NR_FREE_PAGES);
			*in_lists += listed_pages(zone);
		}
	}
}

/* Events since boot, as /proc/vmstat shows them. */
struct events {
	__u64 allocated;	/* pgalloc_ZONE, added up */
	__u64 freed;		/* pgfree */
	__u64 migrated;		/* pgmigrate_success and pgmigrate_fail */
};

#ifdef CONFIG_VM_EVENT_COUNTERS
static void add_events(struct events *events, const unsigned long *event)
{
	int zone;

	for (zone = 0; zone < MAX_NR_ZONES; zone++)
		events->allocated += event[PGALLOC_NORMAL - ZONE_NORMAL + zone];
	events->freed += event[PGFREE];
#ifdef CONFIG_MIGRATION
	events->migrated += event[PGMIGRATE_SUCCESS] + event[PGMIGRATE_FAIL];
#endif
}
#endif

static struct events sum_events(void)
{
	struct events sum = {};
#ifdef CONFIG_VM_EVENT_COUNTERS
	int cpu;

	/* A CPU that goes offline gives its counts to another one. */
	for_each_online_cpu(cpu)
		add_events(&sum, per_cpu(vm_event_states, cpu).event);
#endif
	return sum;
}

enum total {
	TOTAL,
	FREE,
	CACHED,
	BUFFERS,
	SWAP_CACHED,
	ANON,
	SHMEM,
	SLAB,
	PAGE_TABLES,
	KERNEL_STACK,
	ZSMALLOC,
	FREE_IN_ZONES,
	FREE_PERCPU,
	ALLOCATED,
	FREED,
	MIGRATED,
	PROCESSORS,
	TOTALS
};

/* Names of formats/physmem-records.md. */
#define NAMES(when) \
	{ [TOTAL] = "ram." when ".total", [FREE] = "ram." when ".free", \
	  [CACHED] = "ram." when ".cached", [BUFFERS] = "ram." when ".buffers", \
	  [SWAP_CACHED] = "ram." when ".swap_cached", [ANON] = "ram." when ".anon", \
	  [SHMEM] = "ram." when ".shmem", [SLAB] = "ram." when ".slab", \
	  [PAGE_TABLES] = "ram." when ".page_tables", \
	  [KERNEL_STACK] = "ram." when ".kernel_stack", [ZSMALLOC] = "ram." when ".zsmalloc", \
	  [FREE_IN_ZONES] = "ram." when ".free_in_zones", \
	  [FREE_PERCPU] = "ram." when ".free_percpu", \
	  [ALLOCATED] = "ram." when ".allocated", [FREED] = "ram." when ".freed", \
	  [MIGRATED] = "ram." when ".migrated", \
	  [PROCESSORS] = "ram.processors" }

static const char *const before[TOTALS] = NAMES("before");
static const char *const after[TOTALS] = NAMES("after");
static const char *const mean[TOTALS] = NAMES("mean");
static const char *const low[TOTALS] = NAMES("low");
static const char *const high[TOTALS] = NAMES("high");

static bool is_readable(enum total total)
{
	if (total == SWAP_CACHED)
		return PM_HAS_SWAPCACHE_TOTAL;
	if (total == ALLOCATED || total == FREED || total == MIGRATED)
		return IS_ENABLED(CONFIG_VM_EVENT_COUNTERS);
	return total != ZSMALLOC || IS_ENABLED(CONFIG_ZSMALLOC);
}

static unsigned long zsmalloc_pages(void)
{
#if IS_ENABLED(CONFIG_ZSMALLOC)
	return global_zone_page_state(NR_ZSPAGES);
#else
	return 0;
#endif
}

/* The same sums as in /proc/meminfo; a negative one is 0 there. */
static void read_totals(struct pm_counter *totals)
{
	long cached = global_node_page_state(NR_FILE_PAGES) - pm_swapcache_pages();
	struct events events = sum_events();
	struct sysinfo info;

	si_meminfo(&info);
	totals[TOTAL].value = info.totalram;
	totals[FREE].value = info.freeram;
	totals[CACHED].value = max(cached - (long)info.bufferram, 0l);
	totals[BUFFERS].value = info.bufferram;
	totals[SWAP_CACHED].value = pm_swapcache_pages();
	totals[ANON].value = global_node_page_state(NR_ANON_MAPPED);
	totals[SHMEM].value = info.sharedram;
	totals[SLAB].value = global_node_page_state_pages(NR_SLAB_RECLAIMABLE_B) +
			     global_node_page_state_pages(NR_SLAB_UNRECLAIMABLE_B);
	totals[PAGE_TABLES].value = pm_table_pages();
	totals[KERNEL_STACK].value =
		global_node_page_state(NR_KERNEL_STACK_KB) >> (PAGE_SHIFT - 10);
	totals[ZSMALLOC].value = zsmalloc_pages();
	sum_free(&totals[FREE_IN_ZONES].value, &totals[FREE_PERCPU].value);
	totals[ALLOCATED].value = events.allocated;
	totals[FREED].value = events.freed;
	totals[MIGRATED].value = events.migrated;
	totals[PROCESSORS].value = num_online_cpus();
}

/* Free blocks have orders up to MAX_PAGE_ORDER: 10, or up to 14 on arm64. */
#define MAX_ORDERS 16
#define ORDER(when, n) "ram." when ".free_order." #n
#define ORDERS(when) \
	{ ORDER(when, 0), ORDER(when, 1), ORDER(when, 2), ORDER(when, 3), ORDER(when, 4), \
	  ORDER(when, 5), ORDER(when, 6), ORDER(when, 7), ORDER(when, 8), ORDER(when, 9), \
	  ORDER(when, 10), ORDER(when, 11), ORDER(when, 12), ORDER(when, 13), ORDER(when, 14), \
	  ORDER(when, 15) }

static const char *const orders_before[MAX_ORDERS] = ORDERS("before");
static const char *const orders_after[MAX_ORDERS] = ORDERS("after");

/* Pages in free blocks of the order. */
static unsigned long pages_of_order(int order)
{
	unsigned long pages = 0;
	int node, i;

	for_each_online_node(node) {
		for (i = 0; i < MAX_NR_ZONES; i++) {
			struct zone *zone = &NODE_DATA(node)->node_zones[i];

			if (zone->spanned_pages)
				pages += READ_ONCE(zone->free_area[order].nr_free) << order;
		}
	}
	return pages;
}

static void emit_orders(struct pm_out *out, const char *const *names)
{
	struct pm_counter orders[MAX_ORDERS];
	int order, n = min_t(int, ARRAY_SIZE(((struct zone *)NULL)->free_area), MAX_ORDERS);

	for (order = 0; order < n; order++)
		orders[order] = (struct pm_counter){ names[order], pages_of_order(order) };
	pm_emit_counters(out, orders, n);
}

static void emit_totals(struct pm_out *out, const char *const *names)
{
	struct pm_counter totals[TOTALS];
	size_t i, n = 0;

	read_totals(totals);
	for (i = 0; i < TOTALS; i++)
		if (is_readable(i))
			totals[n++] = (struct pm_counter){ names[i], totals[i].value };
	pm_emit_counters(out, totals, n);
}

static u64 more_than_last(const struct pm_total_samples *samples, const struct pm_counter *totals,
			  enum total total)
{
	return samples->times ? totals[total].value - samples->of[total].last : 0;
}

void pm_sample_totals(struct pm_total_samples *samples, bool now)
{
	struct pm_counter totals[TOTALS];
	size_t i;

	BUILD_BUG_ON(PROCESSORS > ARRAY_SIZE(samples->of));
	if (!now && samples->times && time_before(jiffies, samples->next))
		return;
	samples->next = jiffies + msecs_to_jiffies(PM_SAMPLE_MS);
	read_totals(totals);
	samples->between = max(samples->between,
			       min(more_than_last(samples, totals, ALLOCATED),
				   more_than_last(samples, totals, FREED)));
	for (i = 0; i < PROCESSORS; i++) {
		struct pm_total_sample *sample = &samples->of[i];
		u64 value = totals[i].value;

		sample->sum += value;
		sample->low = samples->times ? min(sample->low, value) : value;
		sample->high = max(sample->high, value);
		sample->last = value;
	}
	samples->times++;
}

static void emit_sample(struct pm_out *out, size_t total, const struct pm_total_sample *sample,
			u64 times)
{
	struct pm_counter counters[] = {
		{ mean[total], div64_u64(sample->sum, times) },
		{ low[total], sample->low },
		{ high[total], sample->high },
	};

	pm_emit_counters(out, counters, sample->low == sample->high ? 1 : 3);
}

void pm_emit_total_samples(struct pm_out *out, const struct pm_total_samples *samples)
{
	struct pm_counter between = { "ram.between_readings", samples->between };
	size_t i;

	for (i = 0; i < PROCESSORS; i++)
		if (is_readable(i))
			emit_sample(out, i, &samples->of[i], samples->times);
	if (is_readable(ALLOCATED))
		pm_emit_counters(out, &between, 1);
}

void pm_emit_totals_before(struct pm_out *out)
{
	emit_totals(out, before);
	emit_orders(out, orders_before);
}

void pm_emit_totals_after(struct pm_out *out)
{
	emit_totals(out, after);
	emit_orders(out, orders_after);
}
