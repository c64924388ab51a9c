// SPDX-License-Identifier: GPL-2.0-only
#include "ram_map.h"

#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/string.h>

#include "kernel/compat_ram.h"
#include "owners.h"

/* Ranges of RAM: 4 KiB at first. A machine has ten, one with hotplug one for each memory block. */
#define MIN_SPANS 256
#define MAX_SPANS 65536

/* Resources that are looked at: a damaged list ends somewhere. */
#define MAX_RESOURCES 65536

/* Code, read-only data, data, bss. */
#define MAX_PARTS 8

#define NAME_BYTES 32

static struct {
	struct pm_ram_span frames;
	enum pm_ram_class class_;
} parts[MAX_PARTS];
static size_t n_parts;

/* Each frame that has a part of it. */
static struct pm_ram_span frames_around(const struct resource *resource)
{
	return (struct pm_ram_span){ PFN_DOWN(resource->start), PFN_DOWN(resource->end) + 1 };
}

static void note_part(const struct resource *resource, const char *name)
{
	enum pm_ram_class class_;

	if (!strcmp(name, "Kernel code") || !strcmp(name, "Kernel rodata"))
		class_ = PM_RAM_KERNEL_CODE;
	else if (!strcmp(name, "Kernel data") || !strcmp(name, "Kernel bss"))
		class_ = PM_RAM_KERNEL_DATA;
	else
		return;
	if (n_parts == MAX_PARTS || resource->end <= resource->start)
		return;
	parts[n_parts].frames = frames_around(resource);
	parts[n_parts++].class_ = class_;
}

/*
 * walk_iomem_res_desc() does not give names, and stops at the range of RAM that the kernel is in.
 * The lock of the resource tree is not exported, so the tree is read without it. A driver may
 * remove and free its resource at that time, so reads must not fault. The kernel's own parts are
 * never removed.
 */
void pm_kernel_parts_find(void)
{
	struct resource parent, child;
	const struct resource *at, *below;
	char name[NAME_BYTES];
	int left = MAX_RESOURCES;

	for (at = iomem_resource.child; at && left--; at = parent.sibling) {
		if (!pm_read_safely(&parent, at, sizeof(parent)))
			return;
		if (!pm_read_name(name, sizeof(name), parent.name) ||
		    strncmp(name, "System RAM", 10))
			continue;
		for (below = parent.child; below && left--; below = child.sibling) {
			if (!pm_read_safely(&child, below, sizeof(child)))
				break;
			if (pm_read_name(name, sizeof(name), child.name))
				note_part(&child, name);
		}
	}
}

static int grow(struct pm_ram_map *map)
{
	size_t room = map->room ? map->room * 2 : MIN_SPANS;
	struct pm_ram_span *spans;

	if (room > MAX_SPANS)
		return -ENOMEM;
	spans = kvmalloc_array(room, sizeof(*spans), GFP_KERNEL_ACCOUNT);
	if (!spans)
		return -ENOMEM;
	if (map->n)
		memcpy(spans, map->spans, map->n * sizeof(*spans));
	kvfree(map->spans);
	map->spans = spans;
	map->room = room;
	return 0;
}

/* Called without the lock of the resource tree. Ranges ascend. Only whole frames are RAM. */
static int add_span(struct resource *resource, void *arg)
{
	struct pm_ram_map *map = arg;
	u64 begin = PFN_UP(resource->start), end = PFN_DOWN(resource->end + 1);
	int error = map->n == map->room ? grow(map) : 0;

	if (error)
		return error;
	if (map->n)
		begin = max(begin, map->spans[map->n - 1].end);
	if (begin < end)
		map->spans[map->n++] = (struct pm_ram_span){ begin, end };
	return 0;
}

static int add_crash(struct resource *resource, void *arg)
{
	struct pm_ram_map *map = arg;

	if (map->n_crash < PM_MAX_CRASH_SPANS)
		map->crash[map->n_crash++] = frames_around(resource);
	return 0;
}

int pm_ram_map_make(struct pm_ram_map *map)
{
	unsigned long ram = IORESOURCE_SYSTEM_RAM | IORESOURCE_BUSY;
	int error;

	/* -EINVAL: there is no such range. */
	error = walk_iomem_res_desc(IORES_DESC_NONE, ram, 0, -1, map, add_span);
	if (error == -ENOMEM)
		return error;
	walk_iomem_res_desc(IORES_DESC_CRASH_KERNEL, ram, 0, -1, map, add_crash);
	return 0;
}

void pm_ram_map_free(struct pm_ram_map *map)
{
	kvfree(map->spans);
	map->spans = NULL;
	map->n = map->room = 0;
}

static bool is_in(struct pm_ram_span span, u64 pfn)
{
	return pfn >= span.begin && pfn < span.end;
}

enum pm_ram_class pm_reserved_class(const struct pm_ram_map *map, u64 pfn)
{
	size_t i;

	for (i = 0; i < n_parts; i++)
		if (is_in(parts[i].frames, pfn))
			return parts[i].class_;
	for (i = 0; i < map->n_crash; i++)
		if (is_in(map->crash[i], pfn))
			return PM_RAM_CRASH_KERNEL;
	return PM_RAM_RESERVED;
}

/* The first border after pfn, if it is before end. */
static u64 border_after(struct pm_ram_span span, u64 pfn, u64 end)
{
	if (span.begin > pfn)
		return min(end, span.begin);
	return span.end > pfn ? min(end, span.end) : end;
}

u64 pm_reserved_end(const struct pm_ram_map *map, u64 pfn)
{
	u64 end = ~0ull;
	size_t i;

	for (i = 0; i < n_parts; i++)
		end = border_after(parts[i].frames, pfn, end);
	for (i = 0; i < map->n_crash; i++)
		end = border_after(map->crash[i], pfn, end);
	return end;
}
