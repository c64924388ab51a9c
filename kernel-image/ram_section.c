// SPDX-License-Identifier: MIT
#include "ram_section.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ram_totals.h"
#include "slab_totals.h"

bool pm_ram_section_open(struct pm_ram_section *ram, struct pm_image *image, char *why,
			 size_t room)
{
	int error = pm_find_ram_map(image, &ram->map);

	ram->zones = calloc(1, sizeof(*ram->zones));
	if (!ram->zones)
		error = -ENOMEM;
	if (!error && pm_page_types_find(&ram->types, image))
		return true;
	pm_ram_section_close(ram);
	snprintf(why, room, "%s",
		 error == -ENOMEM ? "no memory" :
		 error ? "-r: found no map of RAM in the dump, expected iomem_resource" :
			 "-r: found no types of pages, expected enum pagetype or VMCOREINFO");
	return false;
}

void pm_ram_section_close(struct pm_ram_section *ram)
{
	pm_free_ram_map(&ram->map);
	free(ram->zones);
	ram->zones = NULL;
}

/* Without all zones and their names, a reader could assign pages to the wrong zone. */
void pm_ram_section_begin(const struct pm_ram_section *ram, struct pm_image *image,
			  struct pm_out *out)
{
	size_t i;

	pm_find_zones(image, ram->zones);
	if (!ram->zones->is_complete)
		return;
	for (i = 0; i < ram->zones->n; i++)
		pm_emit_zone_place(out, &ram->zones->at[i]);
}

int pm_ram_section_write(const struct pm_ram_section *ram, struct pm_image *image,
			 struct pm_out *out, int (*stop)(void *self), void *self)
{
	const struct pm_zones *zones = ram->zones;
	struct pm_ram_walk *walk;
	size_t i;
	int error = pm_ram_walk_open(&walk, image, &ram->types);

	if (error)
		return error;
	for (i = 0; i < zones->n; i++)
		pm_emit_zone(out, &zones->at[i]);
	pm_emit_ram_totals(image, zones, "before", out);
	error = pm_ram_walk_write(walk, ram->map.spans, ram->map.n, out, stop, self);
	/* Nothing moves in a dump. */
	pm_emit_ram_totals(image, zones, "after", out);
	pm_emit_slab_totals(image, out);
	pm_ram_walk_close(walk);
	return error;
}
