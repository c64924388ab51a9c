/* SPDX-License-Identifier: MIT */
/* The part of a snapshot about the whole of RAM: zones, totals and every frame. */
#ifndef PM_RAM_SECTION_H
#define PM_RAM_SECTION_H

#include "ram_map.h"
#include "ram_zones.h"

struct pm_ram_section {
	struct pm_ram_map map;
	struct pm_page_types types;
	struct pm_zones *zones;		/* from pm_ram_section_begin() on */
};

/*
 * Returns false if the kernel does not tell what is needed; why is then a sentence without a full
 * stop.
 */
bool pm_ram_section_open(struct pm_ram_section *ram, struct pm_image *image, char *why,
			 size_t room);
void pm_ram_section_close(struct pm_ram_section *ram);

/* Finds the zones, and writes their counters, which come before the tasks. */
void pm_ram_section_begin(const struct pm_ram_section *ram, struct pm_image *image,
			  struct pm_out *out);

/* Writes the rest, after the tasks. Returns 0, an error of stop(), or -ENOMEM. */
int pm_ram_section_write(const struct pm_ram_section *ram, struct pm_image *image,
			 struct pm_out *out, int (*stop)(void *self), void *self);

#endif
