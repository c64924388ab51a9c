// SPDX-License-Identifier: MIT
#include "ram_map.h"

#include <errno.h>
#include <stdlib.h>

#include "sections.h"

#define MAX_RESOURCES 65536u	/* a damaged list may have a cycle */
/* RAM of a CXL device lies in a window, a region and a device of dax. */
#define MAX_DEPTH 8u
#define NAME_BYTES 32u

struct part {
	__u64 begin, end;	/* frames */
	char name[NAME_BYTES];
};

/* Returns false if the resource does not make sense. */
static bool read_part(struct pm_image *image, __u64 at, struct part *part)
{
	unsigned int shift = image->tables.shift[0];
	__u64 first = PM_GET(image, at, resource_start), last = PM_GET(image, at, resource_end);
	bool is_ram;

	pm_get_text(&image->memory, PM_GET(image, at, resource_name), part->name,
		    sizeof(part->name));
	is_ram = !strncmp(part->name, "System RAM", 10);
	if (first >= last || last >> 52)
		return false;
	part->begin = (first + (is_ram ? (1ull << shift) - 1 : 0)) >> shift;
	part->end = is_ram ? (last + 1) >> shift : (last >> shift) + 1;
	return part->begin < part->end;
}

static enum pm_ram_class class_of(const struct part *part)
{
	if (!strcmp(part->name, "Kernel code") || !strcmp(part->name, "Kernel rodata"))
		return PM_RAM_KERNEL_CODE;
	if (!strcmp(part->name, "Kernel data") || !strcmp(part->name, "Kernel bss"))
		return PM_RAM_KERNEL_DATA;
	if (!strncmp(part->name, "Crash kernel", 12))
		return PM_RAM_CRASH_KERNEL;
	return PM_RAM_RESERVED;
}

/* Adds a span from where the last one ended, or from begin if that is later. */
static int add_span(struct pm_ram_map *map, __u64 begin, __u64 end, enum pm_ram_class class_)
{
	__u64 last_end = map->n ? map->spans[map->n - 1].end : 0;

	if (begin < last_end)
		begin = last_end;
	if (begin >= end)
		return 0;
	if (map->n == map->room) {
		size_t room = map->room ? 2 * map->room : 64;
		struct pm_frame_span *grown = realloc(map->spans, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		map->spans = grown;
		map->room = room;
	}
	map->spans[map->n++] = (struct pm_frame_span){ begin, end, class_ };
	return 0;
}

/* Children of a resource are in the order of their addresses. */
static int add_ram(struct pm_image *image, __u64 at, const struct part *ram,
		   struct pm_ram_map *map)
{
	__u64 child = PM_GET(image, at, resource_child);
	struct part part;
	size_t n;
	int error = 0;

	for (n = 0; child && n < MAX_RESOURCES && !error; n++) {
		if (read_part(image, child, &part) && class_of(&part) != PM_RAM_RESERVED &&
		    part.begin >= ram->begin && part.end <= ram->end) {
			error = add_span(map, ram->begin, part.begin, PM_RAM_RESERVED);
			if (!error)
				error = add_span(map, part.begin, part.end, class_of(&part));
		}
		child = PM_GET(image, child, resource_sibling);
	}
	return error ? error : add_span(map, ram->begin, ram->end, PM_RAM_RESERVED);
}

/* Adds the span to the map, with what is offline in it as spans of their own. */
static int add_sections(struct pm_sections *sections, const struct pm_frame_span *span,
			struct pm_ram_map *map)
{
	__u64 begin = span->begin, end = begin;
	bool is_offline = pm_section_is_offline(sections, begin);
	int error = 0;

	while (end < span->end && !error) {
		bool is_next_offline;

		end = pm_section_end(sections, end);
		end = end < span->end ? end : span->end;
		is_next_offline = end < span->end && pm_section_is_offline(sections, end);
		if (end < span->end && is_next_offline == is_offline)
			continue;
		error = add_span(map, begin, end, is_offline ? PM_RAM_OFFLINE : span->reserved);
		begin = end;
		is_offline = is_next_offline;
	}
	return error;
}

/* The tree of resources has memory that is offline, too. */
static int find_offline(struct pm_image *image, struct pm_ram_map *map)
{
	struct pm_ram_map all = *map;
	struct pm_sections sections;
	size_t i;
	int error = 0;

	if (!pm_sections_open(&sections, image))
		return 0;
	memset(map, 0, sizeof(*map));
	for (i = 0; i < all.n && !error; i++)
		error = add_sections(&sections, &all.spans[i], map);
	pm_free_ram_map(&all);
	return error;
}

/*
 * The next resource of the tree: the first child if `enters`, else the next sibling. Where siblings
 * end, it is the entry that next[] remembers of the level above.
 */
static __u64 next_resource(struct pm_image *image, __u64 at, bool enters, __u64 *next,
			   unsigned int *depth)
{
	__u64 child = enters && *depth < MAX_DEPTH ? PM_GET(image, at, resource_child) : 0;

	at = PM_GET(image, at, resource_sibling);
	if (child) {
		next[(*depth)++] = at;
		return child;
	}
	while (!at && *depth)
		at = next[--*depth];
	return at;
}

/* Memory that was added later lies in the resource of its device (virtio-mem, dax). */
static int find_ram(struct pm_image *image, struct pm_ram_map *map)
{
	__u64 at = image->layout->at.resources, next[MAX_DEPTH];
	unsigned int depth = 0;
	size_t n;
	int error = 0;

	at = at ? PM_GET(image, at, resource_child) : 0;
	for (n = 0; at && n < MAX_RESOURCES && !error; n++) {
		struct part part;
		bool is_ram = read_part(image, at, &part) && !strncmp(part.name, "System RAM", 10);

		if (is_ram)
			error = add_ram(image, at, &part, map);
		at = next_resource(image, at, !is_ram, next, &depth);
	}
	return error;
}

int pm_find_ram_map(struct pm_image *image, struct pm_ram_map *map)
{
	int error;

	memset(map, 0, sizeof(*map));
	error = find_ram(image, map);
	if (!error && !map->n)
		error = -ENODATA;
	if (!error)
		error = find_offline(image, map);
	if (error)
		pm_free_ram_map(map);
	return error;
}

void pm_free_ram_map(struct pm_ram_map *map)
{
	free(map->spans);
	memset(map, 0, sizeof(*map));
}
